// The log files of a job, read in turn or followed.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "slipway/owned_fd.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::slurm {

struct LogFile {
  std::string path;
  std::string role;
  std::int32_t replica = 0;
  Stream stream = Stream::kStdout;
  std::uint64_t offset = 0;  ///< delivered so far
  std::uint64_t inode = 0;   ///< of what was delivered; 0: nothing yet
};

/// Delivers every byte of the files once: without `follow` file by file, each up to its end; with
/// it as they grow, until `has_ended` says that nobody writes any more. Whole lines, but for the
/// last one and for lines beyond 1 MiB.
///
/// Waits on inotify where the files are on a file system of this machine; on network file systems,
/// which tell nothing of what other hosts write, it looks every 100 ms, then less and less often,
/// up to every 2 s while nothing comes. A file that became shorter, or is another one now, was
/// replaced, and is read from its start.
class LogFiles : public LogIterator {
 public:
  /// `has_ended` may ask the cluster; it is called now and then, at most every second, and as soon
  /// as `end_fd` (borrowed; -1: none) is readable, which `has_ended` must end.
  LogFiles(std::string directory, std::vector<LogFile> files, bool follow,
           std::function<bool()> has_ended, int end_fd = -1);

  Next next(std::int64_t timeout_ms, const Sink& sink) override;
  void cancel() noexcept override;

 private:
  using Clock = std::chrono::steady_clock;

  bool read_round(const Sink& sink);
  bool deliver(LogFile& file, const Sink& sink);
  bool ended();
  void wait(Clock::time_point until);

  std::string directory_;
  std::vector<LogFile> files_;
  const bool follow_;
  std::function<bool()> has_ended_;
  const int end_fd_;
  bool is_over_ = false;  // nobody writes any more: what is there is all there will be
  bool is_done_ = false;
  Clock::time_point next_check_{};
  std::chrono::milliseconds check_pause_{1000};
  std::chrono::milliseconds poll_pause_;
  OwnedFd wake_;
  OwnedFd watch_;  // none where it would tell nothing
  std::atomic<bool> cancelled_{false};
  std::string buffer_;
};

/// Whether inotify tells of what is written to files of the directory, by any host.
bool is_local_file_system(const std::string& directory);

}  // namespace slipway::slurm
