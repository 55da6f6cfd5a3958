// The files of run records: `<state directory>/runs/<scheduler>/<session>/<app id>`. They lie
// outside the scheduler's own record, so that every scheduler has them.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/registry/registry.hpp"
#include "slipway/run_record.hpp"

namespace slipway {

/// The name of one file.
struct RunRecordName {
  std::string session;
  std::string app_id;
};

/// The records of one scheduler. Only files of this process's user count.
class RunRecords {
 public:
  RunRecords(const std::string& state_dir, const std::string& scheduler)
      : root_(state_dir + "/runs"), scheduler_(scheduler), directory_(root_ + "/" + scheduler) {}

  /// Writes the record in one step. Throws Error kCantCreate, also if another user may write to a
  /// directory of it.
  void write(const RunRecordName& name, const RunRecord& record) const;
  /// Returns nothing if there is no such record. Throws Error kInvalid for a damaged one.
  std::optional<RunRecord> read(const RunRecordName& name) const;
  /// Does nothing if there is no such record.
  void remove(const RunRecordName& name) const;

  /// Returns whether an app of any scheduler with this state directory runs in the copy `image`.
  bool any_uses(const std::string& image) const;

  /// Calls `visit` for each record that is older than a day, at most once a day: the other calls do
  /// nothing. Throws what `visit` throws.
  void visit_old(const std::function<void(const RunRecordName& name)>& visit) const;

  /// Returns the plug-ins that are loaded. Computes the checksum of a library once: a file beside
  /// the records keeps it until the library changes.
  std::vector<RecordedPlugin> loaded_plugins(registry::Registry& registry) const;

 private:
  /// Returns an empty text for a name that cannot be a file of its own.
  std::string path_of(const RunRecordName& name) const;

  std::string root_;
  std::string scheduler_;
  std::string directory_;
};

}  // namespace slipway
