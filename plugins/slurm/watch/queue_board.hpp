// Slurm's newest answer about the jobs that a user's processes on this machine wait for.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "plugins/slurm/engine/job_query.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::slurm {

struct QueueAnswer {
  std::chrono::steady_clock::time_point asked;  ///< time just before the query
  JobStates states;                             ///< states of every job in the query
};

/// A directory in which the processes of one user on one machine share their queries about a
/// cluster. Each process records the jobs that it waits for. The process that holds the lock asks
/// about all of these jobs, and publishes the answer. If files cannot be written or locked, each
/// process asks about its own jobs. A thread may call want() while another is in ask() or
/// ask_alone(); no other calls may overlap.
class QueueBoard {
 public:
  explicit QueueBoard(std::string directory);
  ~QueueBoard();
  QueueBoard(const QueueBoard&) = delete;
  QueueBoard& operator=(const QueueBoard&) = delete;

  /// Returns the directory of the file kAnswerName, which each new answer replaces.
  const std::string& directory() const { return directory_; }
  static constexpr const char* kAnswerName = "answer";

  /// Replaces the jobs that this process waits for.
  void want(const std::set<std::int64_t>& jobs);

  /// Returns the newest answer; nullopt if no process has published a complete one since the last
  /// boot.
  std::optional<QueueAnswer> latest() const;

  using IsEnough = std::function<bool(const QueueAnswer&)>;
  using Query = std::function<JobStates(const std::set<std::int64_t>&)>;
  /// Returns nullopt if another process is asking. Otherwise returns the newest answer if
  /// `is_enough` accepts it; if not, calls `query` for the jobs of all processes, publishes the
  /// answer and returns it. Throws what `query` throws.
  std::optional<QueueAnswer> ask(const IsEnough& is_enough, const Query& query);

  /// Calls `query` for the jobs of all processes and publishes the answer, without the lock, in
  /// case the process that holds the lock is stopped (SIGSTOP).
  QueueAnswer ask_alone(const Query& query);

 private:
  std::set<std::int64_t> wanted_by_all() const;
  void publish(const QueueAnswer& answer) const;

  std::string directory_;
  mutable std::mutex mutex_;  // guards the members below
  std::set<std::int64_t> wanted_;
  std::string wanted_path_;  // of this process's file
  OwnedFd wanted_file_;      // locked while this process lives
};

}  // namespace slipway::slurm
