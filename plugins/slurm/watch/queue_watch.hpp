// Noticing that jobs of a cluster may have changed state.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "plugins/slurm/watch/question_pace.hpp"
#include "plugins/slurm/watch/queue_board.hpp"
#include "plugins/slurm/watch/record_changes.hpp"
#include "slipway/app_state.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::slurm {

/// Asks Slurm, with growing pauses, for the states of all jobs that are subscribed to, in a thread
/// of its own. Processes share the answers (QueueBoard). What it learns is a reason to describe an
/// app, never a description: a job's state as a shared answer has it may be half a minute old. [any
/// thread]
class QueueWatch : public std::enable_shared_from_this<QueueWatch> {
 public:
  /// `cluster`: empty for the one that this host belongs to.
  QueueWatch(const std::string& state_root, std::string cluster);
  ~QueueWatch();
  QueueWatch(const QueueWatch&) = delete;
  QueueWatch& operator=(const QueueWatch&) = delete;

  class Subscription {
   public:
    Subscription(std::shared_ptr<QueueWatch> watch, std::int64_t job);
    ~Subscription();
    Subscription(const Subscription&) = delete;
    Subscription& operator=(const Subscription&) = delete;

    /// Readable when the job's states differ from those that were last seen, when Slurm says that
    /// the job is over or does not know it, and when Slurm does not answer.
    int fd() const { return event_.get(); }
    /// Makes fd() unreadable. Until then Slurm is not asked for this job.
    void drain();
    bool is_raised() const;

   private:
    friend class QueueWatch;

    void raise();

    std::shared_ptr<QueueWatch> watch_;
    const std::int64_t job_;
    OwnedFd event_;
    QuestionPace pace_;
    std::optional<std::string> states_;  // as last seen; none: not yet
    QuestionPace::Clock::time_point seen_ = QuestionPace::Clock::time_point::min();  // as of then
    std::optional<AppState> described_;
    bool is_raised_ = false;
  };

  /// Subscribes to a job. `job` 0: its id is not known yet, and fd() becomes readable whenever a
  /// question would be due. `record_dir`: the job's record, whose changes are a reason to ask;
  /// empty: there is none.
  std::unique_ptr<Subscription> subscribe(std::int64_t job, const std::string& record_dir);

  /// The caller has described the job's app: what it saw is no news.
  void described(std::int64_t job, AppState state);

 private:
  using Clock = QuestionPace::Clock;

  void remove(Subscription& subscription);
  void wake_thread() const;
  void run();
  void wait(std::optional<Clock::time_point> until);
  std::optional<Clock::time_point> next_question() const;
  std::vector<Subscription*> due(Clock::time_point now) const;
  void handle_record_changes();
  void ask(std::unique_lock<std::mutex>& lock);
  void take(const QueueAnswer& answer);
  void take(const std::string& states, Clock::time_point asked, Subscription& subscription) const;
  void want_all();

  const std::string cluster_;
  QueueBoard board_;
  RecordChanges changes_;
  OwnedFd command_;  // readable: the thread looks at the subscriptions again
  OwnedFd stop_;     // readable: a question that runs is given up
  mutable std::mutex mutex_;
  std::vector<Subscription*> subscriptions_;
  std::optional<Clock::time_point> busy_since_;  // another process is asking since then
  std::optional<Clock::time_point> busy_until_;  // until then it is not asked whether it still is
  std::atomic<bool> is_stopping_{false};
  std::thread thread_;
};

}  // namespace slipway::slurm
