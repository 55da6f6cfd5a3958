// Notices the removal of the app's record.
#pragma once

#include <cstdint>

#include "plugins/local/supervisor/timing/due_queue.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Finds out that the record was removed. No command finds an app without a record, so such an app
/// must not continue. Removing a record takes some time from its first file to its directory: the
/// check follows a second after the last removal of a file. Not thread safe.
class RecordWatch {
 public:
  /// Asks the kernel to send SIGIO to this process when a name in the directory `dir_fd` (borrowed)
  /// is removed or renamed. A kernel without dnotify sends none.
  explicit RecordWatch(int dir_fd);

  /// Plans a check, because SIGIO came.
  void file_removed();
  /// Returns the time of the check on CLOCK_BOOTTIME; kNever if none is planned.
  std::int64_t next_due() const { return due_ns_; }
  /// Returns whether a check is planned. A file that appeared now would prevent the removal of the
  /// directory.
  bool is_suspicious() const { return due_ns_ != kNever; }
  /// Returns whether a check was due at `now_ns` and found that the record is removed, and not only
  /// moved.
  bool finds_removal(std::int64_t now_ns);

 private:
  int dir_fd_;
  OwnedFd signalling_dir_;        // the same directory, opened by this process for SIGIO
  std::int64_t due_ns_ = kNever;  // time of the check
};

}  // namespace slipway::local
