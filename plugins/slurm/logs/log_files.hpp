// The log files of a job: finding them, and reading or following them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "plugins/slurm/state/job_record.hpp"
#include "sdk/support/log_faults.hpp"
#include "sdk/support/wake_event.hpp"
#include "slipway/owned_fd.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::slurm {

struct LogFile {
  std::string path;
  std::string role;
  std::int32_t replica = 0;
  Stream stream = Stream::kStdout;
  std::uint64_t offset = 0;         ///< bytes delivered so far
  std::uint64_t inode = 0;          ///< of the file that they came from; 0: none delivered
  std::optional<uid_t> owner = {};  ///< if set, the file must belong to this user
  bool is_unreadable = false;
  /// When a line was first seen that has no end yet; zero: there is none.
  std::chrono::steady_clock::time_point begun = {};
};

/// Returns `slurm-<app_id>-<role>-<replica>.out` or `.err` of the requested replicas; for the
/// combined stream both. Throws Error kNotFound for a role or replica that the app does not have.
std::vector<LogFile> log_sources(const JobRecord& record, const LogQuery& query);

/// Returns the files that do not exist although their replicas have started.
StrList missing_logs(const JobRecord& record, const std::vector<LogFile>& files);

/// Delivers every byte of the files once, in whole lines, except for the last line and for lines
/// beyond kLongLine (line_cut.hpp). Without `follow`, delivers one file after the other, each up to
/// its end. With `follow`, delivers what the files gain, until `has_ended` returns that they gain
/// no more: also the states of progress bars, and the beginning of a line after kLinePatience.
///
/// Waits by inotify on file systems of this machine. On network file systems inotify does not see
/// what other hosts write, so it looks at the files every 100 ms, and while they gain nothing less
/// often, down to every 2 s. A file that became shorter or has another inode was replaced, and is
/// read from its start. The error of a file that cannot be read comes after the other files.
class LogFiles : public LogIterator {
 public:
  /// `has_ended` may ask the cluster. It is called at most every second, and also as soon as
  /// `end_fd` (borrowed; -1: none) is readable; it must then make `end_fd` unreadable.
  LogFiles(std::string directory, std::vector<LogFile> files, bool follow,
           std::function<bool()> has_ended, Host host, int end_fd = -1);

  Next next(std::int64_t timeout_ms, const Sink& sink) override;
  void cancel() noexcept override;

 private:
  using Clock = std::chrono::steady_clock;

  bool read_round(const Sink& sink);
  bool deliver(LogFile& file, const Sink& sink);
  bool is_overdue(LogFile& file);
  bool ended();
  void wait(Clock::time_point until);

  std::string directory_;
  std::vector<LogFile> files_;
  const bool follow_;
  std::function<bool()> has_ended_;
  const int end_fd_;
  bool is_over_ = false;  // the files gain no more
  bool is_done_ = false;
  Clock::time_point next_check_{};
  Clock::time_point next_due_{};  // of the lines without an end
  std::chrono::milliseconds check_pause_{1000};
  std::chrono::milliseconds poll_pause_;
  WakeEvent wake_;
  OwnedFd watch_;  // none on network file systems
  std::atomic<bool> cancelled_{false};
  std::string buffer_;
  LogFaults faults_;
};

/// Returns whether inotify sees every write to files of the directory. On network file systems it
/// misses those of other hosts.
bool is_local_file_system(const std::string& directory);

}  // namespace slipway::slurm
