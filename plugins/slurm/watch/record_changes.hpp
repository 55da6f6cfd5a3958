// Watches the records of jobs for changes.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "plugins/slurm/watch/query_pace.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::slurm {

/// Watches the records of jobs and the directory of the shared answer with inotify. Inotify does
/// not report the writes of other machines to a network file system, and reports nothing if the
/// kernel has no more watches; then queries come after their normal pauses. [one thread at a time]
class RecordChanges {
 public:
  /// `answer_dir` and `answer_name` are the directory and the name of the file in which processes
  /// share Slurm's newest answer.
  RecordChanges(const std::string& answer_dir, std::string answer_name);

  /// Watches a job's record for `subscriber`.
  void add(const std::string& record_dir, const void* subscriber);
  /// Ends the watches for `subscriber`.
  void remove(const void* subscriber);

  /// Returns a descriptor for poll(), or -1 if inotify is not available.
  int fd() const { return inotify_.get(); }

  using OnWake = std::function<void(const void* subscriber, QueryPace::Wake wake)>;
  /// Calls `on_wake` for the changes since the last call. Returns whether there may be a new
  /// answer.
  bool read(const OnWake& on_wake);

 private:
  OwnedFd inotify_;
  int answer_watch_ = -1;
  std::string answer_name_;
  std::map<int, std::vector<const void*>> subscribers_;  // by watch
};

}  // namespace slipway::slurm
