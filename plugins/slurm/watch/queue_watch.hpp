// Reports that jobs of a cluster may have changed state.
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

#include "plugins/slurm/watch/query_pace.hpp"
#include "plugins/slurm/watch/queue_board.hpp"
#include "plugins/slurm/watch/record_changes.hpp"
#include "sdk/support/wake_event.hpp"
#include "slipway/app_state.hpp"

namespace slipway::slurm {

/// Asks Slurm in its own thread, with growing pauses, for the states of all jobs with
/// subscriptions. Processes share the answers (QueueBoard). After a change, the subscriber must
/// describe the app: the answer itself is not enough, because it may be half a minute old. [any
/// thread]
class QueueWatch : public std::enable_shared_from_this<QueueWatch> {
 public:
  /// `cluster` is empty for this machine's cluster.
  QueueWatch(const std::string& state_root, std::string cluster, const QueryPauses& pauses = {});
  ~QueueWatch();
  QueueWatch(const QueueWatch&) = delete;
  QueueWatch& operator=(const QueueWatch&) = delete;

  class Subscription {
   public:
    Subscription(std::shared_ptr<QueueWatch> watch, std::int64_t job);
    ~Subscription();
    Subscription(const Subscription&) = delete;
    Subscription& operator=(const Subscription&) = delete;

    /// Returns a descriptor that is readable if the job's states have changed since the last
    /// answer, if the job has ended or Slurm does not know it, and if Slurm does not answer. The
    /// first answer is a change, unless it has the state of described().
    int fd() const { return event_.fd(); }
    /// Makes fd() unreadable. While it is readable, no query is due because of this job.
    void drain();
    bool is_raised() const;

   private:
    friend class QueueWatch;

    void raise();

    std::shared_ptr<QueueWatch> watch_;
    const std::int64_t job_;
    WakeEvent event_;
    QueryPace pace_;
    std::optional<std::string> states_;  // states in the last answer; nullopt: no answer yet
    // Time of the query with that answer.
    QueryPace::Clock::time_point seen_ = QueryPace::Clock::time_point::min();
    std::optional<AppState> described_;  // state in which the subscriber has described the app
    bool is_raised_ = false;
  };

  /// Subscribes to a job. If the job's id is unknown, `job` is 0, and fd() becomes readable
  /// whenever a query would be due. `record_dir` is the job's record, after whose changes the watch
  /// asks early; empty if there is none.
  std::unique_ptr<Subscription> subscribe(std::int64_t job, const std::string& record_dir);

  /// Notes the state in which the caller has described the job's app, so that the watch does not
  /// report this state as a change.
  void described(std::int64_t job, AppState state);

 private:
  using Clock = QueryPace::Clock;

  void remove(Subscription& subscription);
  void wake_thread() const;
  void run();
  void wait(std::optional<Clock::time_point> until);
  std::optional<Clock::time_point> next_query() const;
  std::vector<Subscription*> due(Clock::time_point now) const;
  void handle_record_changes();
  void ask(std::unique_lock<std::mutex>& lock);
  /// Passes an answer on to the subscriptions to its jobs.
  void take(const QueueAnswer& answer);
  /// Raises the subscription if its states have changed.
  void take(const std::string& states, Clock::time_point asked, Subscription& subscription) const;
  /// Records the jobs of all subscriptions in board_.
  void want_all();

  const std::string cluster_;
  const QueryPauses pauses_;
  QueueBoard board_;
  RecordChanges changes_;
  WakeEvent command_;  // raised: the subscriptions have changed
  WakeEvent stop_;     // raised: the thread must end, also during a query
  mutable std::mutex mutex_;
  std::vector<Subscription*> subscriptions_;
  std::optional<Clock::time_point> busy_since_;  // since then, another process is asking
  std::optional<Clock::time_point> busy_until_;  // the next try to get the lock
  std::atomic<bool> is_stopping_{false};
  std::thread thread_;
};

}  // namespace slipway::slurm
