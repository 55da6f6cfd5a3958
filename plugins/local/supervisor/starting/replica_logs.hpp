// The log files of the replica that is being started.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "plugins/local/engine/plan.hpp"
#include "plugins/local/supervisor/record/app_files.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// From open() to release(), descriptors 1 and 2 of this process are the replica's stdout and
/// stderr, so that a child inherits them without further system calls. At all other times they are
/// /dev/null. Not thread safe.
class ReplicaLogs {
 public:
  /// `files` must outlive this.
  explicit ReplicaLogs(AppFiles& files) : files_(files) {}
  ~ReplicaLogs() { release(); }
  ReplicaLogs(const ReplicaLogs&) = delete;
  ReplicaLogs& operator=(const ReplicaLogs&) = delete;

  /// Makes and opens the log files of a replica. With LogRules::pipes also makes pipes, which then
  /// take the place of the files as descriptors 1 and 2, unless the file system has no pipes.
  /// On failure, returns false with errno set; `what` then names the action that failed.
  bool open(const LaunchGroup& group, std::int32_t replica, std::string& what);
  /// Returns this process's ends of the pipes of the last open(), empty without pipes. The caller
  /// keeps them until the CombinedMerger (logs/combined_merger.hpp) has opened the pipes.
  std::array<OwnedFd, 2> take_pipes();
  /// Returns whether both files of the last open() have truncation marks (truncation_mark.hpp).
  bool is_marked() const { return is_marked_; }
  /// Makes descriptors 1 and 2 /dev/null again.
  void release();

 private:
  bool use_role(const std::string& role);

  AppFiles& files_;
  std::string role_;              // name of the role of the last open()
  OwnedFd role_dir_;              // log directory of role_
  std::array<OwnedFd, 2> pipes_;  // until take_pipes()
  bool is_open_ = false;
  bool is_marked_ = false;
};

}  // namespace slipway::local
