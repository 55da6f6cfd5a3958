// The files of run records: `<state directory>/runs/<scheduler>/<session>/<app id>`. They lie
// outside the scheduler's own record, so that every scheduler has them.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/registry/registry.hpp"
#include "slipway/run_record.hpp"

namespace slipway {

/// The app that a record is about.
struct RunRecordName {
  std::string session;
  std::string app_id;
};

/// The run records of one scheduler. Ignores files of other users. There is no record of a name
/// with a part that cannot be a file name.
class RunRecords {
 public:
  RunRecords(const std::string& state_dir, const std::string& scheduler)
      : root_(state_dir + "/runs"), scheduler_(scheduler), directory_(root_ + "/" + scheduler) {}

  /// Writes the record, so that readers see the old one or the new one, unless `name` cannot have
  /// one. Throws Error kCantCreate, also if another user may write to one of the directories of the
  /// file.
  void write(const RunRecordName& name, const RunRecord& record) const;
  /// Returns the record, or nullopt if it does not exist. Throws Error kInvalid for a damaged
  /// record, and as spec::read_text_file() does for one that cannot be read.
  std::optional<RunRecord> read(const RunRecordName& name) const;
  /// Removes the record. Does nothing if it does not exist or cannot be removed.
  void remove(const RunRecordName& name) const;

  /// Returns whether a record of any scheduler with this state directory names `image`, a copy of a
  /// workspace. Also returns true if that is not known, because a record is damaged or cannot be
  /// read, or the records cannot be listed.
  bool any_uses(const std::string& image) const;

  /// Calls `visit` for each record that is older than a day, and removes drafts of that age. Does
  /// nothing if it was called for this scheduler less than a day ago, even if `visit` threw. Throws
  /// Error kCantCreate like write(), and what `visit` throws.
  void visit_old(const std::function<void(const RunRecordName& name)>& visit) const;

  /// Returns the plug-ins that are loaded. Computes the checksum of each library only once, because
  /// a file beside the records keeps it until the library changes. A library that is missing has no
  /// checksum. Throws Error if the file or a library cannot be read, or the file cannot be written.
  std::vector<RecordedPlugin> loaded_plugins(registry::Registry& registry) const;

 private:
  /// Returns the path of the file, or an empty text if a part of `name` cannot be a file name.
  std::string path_of(const RunRecordName& name) const;

  std::string root_;  // of the records of all schedulers
  std::string scheduler_;
  std::string directory_;  // of the records of this scheduler
};

}  // namespace slipway
