// Finds the log files of a job, and reads or follows them.
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
  std::uint64_t inode = 0;          ///< of the file at the last look; 0: not seen yet
  std::optional<uid_t> owner = {};  ///< if set, the file must belong to this user
  bool is_unreadable = false;       ///< reading it has failed
  /// Time at which the last line was seen without its end for the first time; zero: it has an end.
  std::chrono::steady_clock::time_point unended_since = {};
};

/// Returns the files `slurm-<number of the job>-<role>-<replica>.out` or `.err` of the requested
/// replicas, or both for the combined stream. Throws Error kNotFound for a role or replica that the
/// app does not have.
std::vector<LogFile> log_sources(const JobRecord& record, const LogQuery& query);

/// Returns the files that do not exist although their replicas have started.
StrList missing_logs(const JobRecord& record, const std::vector<LogFile>& files);

/// Delivers every byte of the files once, in whole lines, except for the last line and for lines
/// beyond kLongLine (line_cut.hpp). Without `follow`, delivers one file after the other, each up to
/// its end. With `follow`, delivers new bytes of the files until `has_ended` returns that the files
/// are complete. In this mode it also delivers the states of progress bars, and the beginning of a
/// line whose end does not come within kLinePatience.
///
/// Waits with inotify on file systems of this machine. On network file systems inotify does not
/// report the writes of other machines, so this looks at the files every 100 ms, and less often
/// while they do not grow, up to every 2 s. A file that became shorter or has another inode was
/// replaced; this reads it from its start. If a file cannot be read, throws its error after the
/// other files.
class LogFiles : public LogIterator {
 public:
  /// Throws Error kNotFound if `directory` does not exist.
  ///
  /// `has_ended` may ask the cluster. next() calls it at most every second, and also as soon as
  /// `end_fd` (borrowed; -1: none) is readable. `has_ended` must then make `end_fd` unreadable.
  LogFiles(std::string directory, std::vector<LogFile> files, bool follow,
           std::function<bool()> has_ended, Host host, int end_fd = -1);

  Next next(std::int64_t timeout_ms, const Sink& sink) override;
  void cancel() noexcept override;

 private:
  using Clock = std::chrono::steady_clock;

  bool read_round(const Sink& sink);
  bool deliver(LogFile& file, const Sink& sink);
  void give_up(LogFile& file, int error);
  bool is_overdue(LogFile& file);
  /// Calls has_ended_ if next_check_ has come; otherwise returns false.
  bool has_job_ended();
  void wait(Clock::time_point until);

  std::string directory_;
  std::vector<LogFile> files_;
  const bool follow_;
  std::function<bool()> has_ended_;
  const int end_fd_;
  bool is_over_ = false;                         // the files are complete
  bool is_done_ = false;                         // all bytes are delivered
  Clock::time_point next_check_{};               // the next call of has_ended_
  Clock::time_point next_due_{};                 // the next delivery of a line without its end
  std::chrono::milliseconds check_pause_{1000};  // between calls of has_ended_
  std::chrono::milliseconds poll_pause_;         // between looks at the files without inotify
  WakeEvent wake_;
  OwnedFd watch_;  // none on network file systems
  std::atomic<bool> cancelled_{false};
  std::string buffer_;
  LogFaults faults_;
};

/// Returns whether inotify reports every write to files in the directory. On network file systems
/// it does not report the writes of other machines.
bool is_local_file_system(const std::string& directory);

}  // namespace slipway::slurm
