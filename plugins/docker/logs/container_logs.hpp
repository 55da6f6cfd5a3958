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

/// The times of the lines that are wanted of a container; nullopt for no bound.
struct LogBounds {
  TimeNs since;
  TimeNs until;
};

/// Returns the bounds for the log of an attempt; `next` is the attempt after it or null. Returns
/// nullopt if all of it lies beyond those of the query. A bound between two attempts becomes exact:
/// the engine notes the start of a container when its program may have written already.
std::optional<LogBounds> bounds_for(const LogQuery& query, const Container& attempt,
                                    const Container* next);

/// The log of one container. If the stream breaks, for example because the engine was restarted, or
/// the container is restarted, it continues behind the last message that was delivered.
class ContainerLog {
 public:
  ContainerLog(std::string id, std::string role, std::int32_t replica, LogBounds bounds)
      : id_(std::move(id)), role_(std::move(role)), replica_(replica), bounds_(bounds) {}

  const std::string& id() const { return id_; }
  bool is_open() const { return stream_ != nullptr; }
  int fd() const { return stream_ ? stream_->fd() : -1; }
  /// Throws the engine's error.
  void open(const Engine& engine, const LogQuery& query, const Call& call);
  void close() { stream_.reset(); }
  /// Passes what has arrived to `sink`. Returns false at the end of the stream.
  bool read(const LogIterator::Sink& sink, bool& some);

  std::string name() const { return role_ + "/" + std::to_string(replica_); }
  using Clock = std::chrono::steady_clock;
  /// The time before which the log is not opened again.
  Clock::time_point due;

 private:
  bool is_delivered(TimeNs time);

  std::string id_;
  std::string role_;
  std::int32_t replica_ = 0;
  LogBounds bounds_;
  std::unique_ptr<AnswerStream> stream_;
  std::string bytes_;
  TimeNs last_;              // of the last message
  std::size_t at_last_ = 0;  // messages with this time so far
  std::size_t skipped_ = 0;  // of them, those that the reopened stream has repeated
};

/// Without `follow`, delivers one container's log after the other, the attempts of a replica in
/// their order. With `follow`, delivers all of them as they grow, until each container has ended
/// and its log is delivered; of an app with a supervisor also those of later attempts, until the
/// app ends.
class ContainerLogs : public LogIterator {
 public:
  /// `containers` are sorted, and inspected if there are several attempts.
  ContainerLogs(Engine engine, LogQuery query, const std::vector<Container>& containers, Host host);

  Next next(std::int64_t timeout_ms, const Sink& sink) override;
  void cancel() noexcept override;

 private:
  using Clock = ContainerLog::Clock;

  bool serve(ContainerLog& log, const Sink& sink);
  bool read_ready(const Sink& sink);
  bool may_continue(const ContainerLog& log) const;
  Clock::time_point next_due(Clock::time_point deadline) const;
  void open_some();
  void find_attempts();
  void add(const std::vector<Container>& containers);
  void wait(Clock::time_point until);
  void rest(std::int64_t timeout_ms);

  Engine engine_;
  LogQuery query_;
  std::string supervised_;                // the app's id, while attempts may follow
  std::unique_ptr<EngineEvents> events_;  // of that app
  bool has_new_ = true;                   // containers, perhaps
  std::set<std::string> known_;           // ids
  std::vector<ContainerLog> waiting_;
  std::vector<ContainerLog> open_;
  LogFaults faults_;
  std::atomic<bool> cancelled_{false};
  WakeEvent wake_;
};

}  // namespace slipway::docker
