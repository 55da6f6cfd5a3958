// Reads and follows the logs of an app's containers through the engine.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plugins/docker/engine/engine.hpp"
#include "plugins/docker/logs/log_frames.hpp"
#include "plugins/docker/state/container.hpp"
#include "plugins/docker/state/engine_events.hpp"
#include "sdk/support/log_faults.hpp"
#include "sdk/support/wake_event.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::docker {

/// The times between which the lines of a container's log are wanted; nullopt for no bound.
struct LogBounds {
  TimeNs since;
  TimeNs until;
};

/// Returns the bounds for the log of an attempt; `next` is the attempt after it, or null. Returns
/// nullopt if the query wants nothing of this attempt. Drops a bound that is exactly the start of
/// this attempt, or the nanosecond before the start of the next one, as `log --attempt` sets them,
/// so that the log is complete: the engine records the start of a container late, when its program
/// may have written lines already.
std::optional<LogBounds> bounds_for(const LogQuery& query, const Container& attempt,
                                    const Container* next);

/// Finds the messages in a reopened log that were delivered before it was reopened. The times of
/// messages are not always in their order: stdout and stderr have a writer each.
class DeliveredMessages {
 public:
  /// Returns the time from which a reopened log repeats messages; nullopt for its start.
  TimeNs repeats_from() const;
  /// Notes that the next message comes from a log that was opened again.
  void reopen();
  /// Adds the message that came next. Returns false if it was delivered before.
  bool add(TimeNs time);

 private:
  TimeNs last_;                  // time of the last message
  TimeNs latest_;                // the largest time of all messages
  std::size_t at_last_ = 0;      // number of delivered messages with the time `last_`
  std::size_t repeated_ = 0;     // number of them that the present log has repeated
  bool is_past_repeats_ = true;  // whether it has repeated the last message
};

/// The log of one container. After the engine or the container was restarted, open() continues
/// behind the last message that was delivered.
class ContainerLog {
 public:
  ContainerLog(std::string id, std::string role, std::int32_t replica, LogBounds bounds)
      : id_(std::move(id)), role_(std::move(role)), replica_(replica), bounds_(bounds) {}

  const std::string& id() const { return id_; }
  bool is_open() const { return stream_ != nullptr; }
  int fd() const { return stream_ ? stream_->fd() : -1; }
  /// Opens the stream, also again after close(). Throws the engine's error.
  void open(const Engine& engine, const LogQuery& query, const Call& call);
  void close() { stream_.reset(); }
  /// Lets open() read what the log has and not follow it. For a container that has ended: before
  /// version 23 of the engine, a stream that follows may end without the last messages.
  void read_rest() { reads_rest_ = true; }
  bool reads_rest() const { return reads_rest_; }
  /// Passes the messages that have arrived to `sink`, and sets `some` if there are any. Returns
  /// false at the end of the stream.
  bool read(const LogIterator::Sink& sink, bool& some);

  std::string name() const { return role_ + "/" + std::to_string(replica_); }
  using Clock = std::chrono::steady_clock;
  /// The time before which the log is not opened again.
  Clock::time_point due;

 private:
  std::string id_;
  std::string role_;
  std::int32_t replica_ = 0;
  LogBounds bounds_;
  std::unique_ptr<AnswerStream> stream_;
  std::string bytes_;
  DeliveredMessages delivered_;
  bool reads_rest_ = false;
};

/// Without `follow`, delivers one container's log after the other, and the attempts of a replica in
/// their order. With `follow`, delivers all logs as they grow, until each container has ended and
/// its log is delivered. If the app has a supervisor, also delivers the logs of later attempts,
/// until the app ends. If the query has an `until`, each log ends there, and no later attempts
/// follow.
class ContainerLogs : public LogIterator {
 public:
  /// `containers` are in the order of sort_replicas(). If the app has a supervisor, and so perhaps
  /// several attempts of a replica, they are also inspected.
  ContainerLogs(Engine engine, LogQuery query, const std::vector<Container>& containers, Host host);

  Next next(std::int64_t timeout_ms, const Sink& sink) override;
  void cancel() noexcept override;

 private:
  using Clock = ContainerLog::Clock;

  bool serve(ContainerLog& log, const Sink& sink);
  bool read_ready(const Sink& sink);
  bool reopen(ContainerLog& log) const;
  Clock::time_point next_due(Clock::time_point deadline) const;
  void open_some();
  void find_attempts();
  void add(const std::vector<Container>& containers);
  void wait(Clock::time_point until);
  void pause_after_failure(std::int64_t timeout_ms);

  Engine engine_;
  LogQuery query_;
  std::string supervised_;                // the app's id, while further attempts may start
  std::unique_ptr<EngineEvents> events_;  // events of that app
  bool has_new_ = true;                   // the app may have new containers
  std::set<std::string> known_;           // ids of containers
  std::vector<ContainerLog> waiting_;
  std::vector<ContainerLog> open_;
  LogFaults faults_;
  std::atomic<bool> cancelled_{false};
  WakeEvent wake_;
};

}  // namespace slipway::docker
