// Slurm's newest answer about the jobs that a user's processes on this host wait for.
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
  std::chrono::steady_clock::time_point asked;  ///< the time before the question
  JobStates states;                             ///< of every job in the question
};

/// A directory in which the processes of one user on one host share their questions about a
/// cluster. Each process records the jobs that it waits for. The process that holds the lock asks
/// about all of these jobs, and publishes the answer. If files cannot be written or locked, each
/// process asks about its own jobs. [one thread asks; another may call want() meanwhile]
class QueueBoard {
 public:
  explicit QueueBoard(std::string directory);
  ~QueueBoard();
  QueueBoard(const QueueBoard&) = delete;
  QueueBoard& operator=(const QueueBoard&) = delete;

  /// The directory in which `answer_name` is replaced with each new answer.
  const std::string& directory() const { return directory_; }
  static constexpr const char* kAnswerName = "answer";

  /// Replaces the jobs that this process waits for.
  void want(const std::set<std::int64_t>& jobs);

  /// Returns the newest answer; nothing if there is none since this host was started.
  std::optional<QueueAnswer> latest() const;

  using IsEnough = std::function<bool(const QueueAnswer&)>;
  using Ask = std::function<JobStates(const std::set<std::int64_t>&)>;
  /// Returns the newest answer if it `is_enough`. Otherwise asks about the jobs of all processes
  /// and publishes the answer. Returns nothing while another process asks. Throws what `ask`
  /// throws.
  std::optional<QueueAnswer> ask(const IsEnough& is_enough, const Ask& ask);

  /// Asks without the lock, for the case that the process with the lock has been stopped.
  QueueAnswer ask_alone(const Ask& ask);

 private:
  std::set<std::int64_t> wanted_by_all() const;
  void publish(const QueueAnswer& answer) const;

  std::string directory_;
  mutable std::mutex mutex_;  // guards the members below
  std::set<std::int64_t> wanted_;
  std::string wanted_path_;
  OwnedFd wanted_file_;  // locked while this process lives
};

}  // namespace slipway::slurm
