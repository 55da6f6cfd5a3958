// What Slurm last said of the jobs that a user's processes on this host wait for.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "plugins/slurm/engine/job_query.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::slurm {

struct QueueAnswer {
  std::chrono::steady_clock::time_point asked;  ///< before Slurm was asked
  JobStates states;                             ///< of every job that was asked for
};

/// A directory in which processes of one user on one host share their questions about a cluster. A
/// process writes down which jobs it waits for. The one that asks holds a lock, asks for all of
/// those jobs, and publishes the answer for the others. Where files cannot be written or locked,
/// each process asks for its own jobs. [one thread at a time]
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

  /// The newest answer; nothing: there is none, or this host has been started since.
  std::optional<QueueAnswer> latest() const;

  using IsEnough = std::function<bool(const QueueAnswer&)>;
  using Ask = std::function<JobStates(const std::set<std::int64_t>&)>;
  /// Returns an answer of another process if it `is_enough`, else asks for all jobs that are waited
  /// for and publishes the answer. Nothing: another process is asking right now. Throws what `ask`
  /// throws.
  std::optional<QueueAnswer> ask(const IsEnough& is_enough, const Ask& ask);

  /// Asks without the lock: the process that holds it has been stopped.
  QueueAnswer ask_alone(const Ask& ask);

 private:
  std::set<std::int64_t> wanted_by_all() const;
  void publish(const QueueAnswer& answer) const;

  std::string directory_;
  std::set<std::int64_t> wanted_;
  std::string wanted_path_;
  OwnedFd wanted_file_;  // locked for as long as this process lives
};

}  // namespace slipway::slurm
