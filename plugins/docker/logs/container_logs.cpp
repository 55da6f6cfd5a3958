#include "plugins/docker/logs/container_logs.hpp"

#include <poll.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "plugins/docker/engine/engine_time.hpp"
#include "plugins/docker/state/app_containers.hpp"
#include "plugins/docker/state/app_description.hpp"
#include "plugins/docker/state/app_progress.hpp"

namespace slipway::docker {

namespace {

constexpr std::chrono::milliseconds kFailurePause{1000};
constexpr std::chrono::milliseconds kRestartPause{250};
constexpr int kMostReads = 16;  // of one log, before the other logs have their turn

/// The time of a message is at most this much earlier than that of the message before it.
constexpr std::int64_t kDisorderNs = 1'000'000'000;

std::string target_of(const std::string& id, const LogQuery& query, const LogBounds& bounds,
                      bool follow) {
  std::string out = "/containers/" + id + "/logs?timestamps=1";
  if (query.stream != Stream::kStderr) out += "&stdout=1";
  if (query.stream != Stream::kStdout) out += "&stderr=1";
  if (follow) out += "&follow=1";
  if (bounds.since) out += "&since=" + query_time(*bounds.since);
  if (bounds.until) out += "&until=" + query_time(*bounds.until);
  return out;
}

}  // namespace

std::optional<LogBounds> bounds_for(const LogQuery& query, const Container& attempt,
                                    const Container* next) {
  LogBounds out{query.since, query.until};
  // The first attempt may have lines from before its recorded start.
  const bool is_after =
      attempt.attempt() > 1 && attempt.started_at && out.until && *out.until < *attempt.started_at;
  const TimeNs end = next != nullptr ? next->started_at : TimeNs();
  const bool is_before = end && out.since && *out.since >= *end;
  if (is_after || is_before) return std::nullopt;
  if (out.since && out.since == attempt.started_at) out.since.reset();
  // `until` is inclusive: the end of an attempt is just before the start of the next one.
  if (out.until && end && *out.until == *end - 1) out.until.reset();
  return out;
}

TimeNs DeliveredMessages::repeats_from() const {
  if (!last_) return {};
  return *last_ - kDisorderNs;
}

void DeliveredMessages::reopen() {
  repeated_ = 0;
  is_past_repeats_ = !last_;
}

bool DeliveredMessages::add(TimeNs time) {
  if (!is_past_repeats_) {
    if (time == last_) {
      ++repeated_;
      is_past_repeats_ = repeated_ == at_last_;
      return false;
    }
    if (time && *time <= *latest_) return false;
    // The log has lost the last message: the engine keeps only so much of it.
    is_past_repeats_ = true;
  }
  if (!time) return true;
  at_last_ = time == last_ ? at_last_ + 1 : 1;
  last_ = time;
  latest_ = latest_ ? std::max(*latest_, *time) : *time;
  return true;
}

void ContainerLog::open(const Engine& engine, const LogQuery& query, const Call& call) {
  HttpRequest request;
  TimeNs since = bounds_.since;
  if (const TimeNs from = delivered_.repeats_from()) since = since ? std::max(*since, *from) : from;
  request.target = target_of(id_, query, {since, bounds_.until}, query.follow && !reads_rest_);
  bytes_.clear();
  delivered_.reopen();
  auto stream = engine.open(request, call);
  if (!stream->head().ok()) {
    throw engine_error("cannot read the log of " + name(),
                       stream->finish(Patience(call, kSilenceLimit)));
  }
  stream_ = std::move(stream);
}

bool ContainerLog::read(const LogIterator::Sink& sink, bool& some) {
  const bool is_open = stream_->read(bytes_);
  LogFrames().read(bytes_, [&](Stream stream, TimeNs time, std::string_view message) {
    if (!delivered_.add(time)) return;
    LogChunk chunk;
    chunk.role = role_;
    chunk.replica = replica_;
    chunk.stream = stream;
    chunk.time = time;
    chunk.bytes = message;
    sink(chunk);
    some = true;
  });
  return is_open;
}

ContainerLogs::ContainerLogs(Engine engine, LogQuery query,
                             const std::vector<Container>& containers, Host host)
    : engine_(std::move(engine)), query_(std::move(query)), faults_(host) {
  if (query_.follow && !query_.until && rules_of(containers))
    supervised_ = containers.front().app_id();
  add(containers);
}

/// Adds the logs of the containers that are new.
void ContainerLogs::add(const std::vector<Container>& containers) {
  for (auto one = containers.begin(); one != containers.end(); ++one) {
    // The engine has no log of a container that has not started; find_attempts() adds it later.
    if (!supervised_.empty() && !one->has_started()) continue;
    if (!known_.insert(one->id).second || !query_.wants(one->role(), one->replica())) continue;
    const auto next = std::next(one);
    const bool has_next = next != containers.end() && next->replica() == one->replica() &&
                          next->role() == one->role();
    if (const auto bounds = bounds_for(query_, *one, has_next ? &*next : nullptr))
      waiting_.emplace_back(one->id, one->role(), one->replica(), *bounds);
  }
}

/// Adds the logs of attempts that have started since the last call.
void ContainerLogs::find_attempts() {
  if (supervised_.empty()) return;
  if (!events_)
    events_ = std::make_unique<EngineEvents>(engine_, supervised_, EngineEvents::Of::kApp, Call());
  if (!has_new_) return;
  std::vector<Container> containers = list_containers(engine_, supervised_, Call());
  inspect(engine_, containers, Call(), [](const Container&) { return true; });
  add(containers);
  has_new_ = false;
  if (!containers.empty() && !is_terminal(app_state(containers))) return;
  supervised_.clear();
  events_.reset();
}

void ContainerLogs::cancel() noexcept {
  cancelled_ = true;
  wake_.raise();
}

/// Opens the next log, or with `follow` all logs that are due. If a log cannot be read, the others
/// continue; if the engine does not answer, throws its error.
void ContainerLogs::open_some() {
  for (std::size_t i = 0; i < waiting_.size() && (query_.follow || open_.empty());) {
    const auto which = waiting_.begin() + static_cast<std::ptrdiff_t>(i);
    if (which->due > Clock::now()) {
      ++i;
      continue;
    }
    try {
      which->open(engine_, query_, Call());
      open_.push_back(std::move(*which));
    } catch (const Error& error) {
      if (error.code() == Code::kTemporary || error.code() == Code::kUnavailable) throw;
      // A container that has ended may be removed before its last messages are read.
      const bool is_removed = which->reads_rest() && error.code() == Code::kNotFound;
      if (!is_removed) faults_.add(error, query_.follow);
    }
    waiting_.erase(which);
  }
}

ContainerLogs::Clock::time_point ContainerLogs::next_due(Clock::time_point deadline) const {
  for (const ContainerLog& log : waiting_) deadline = std::min(deadline, log.due);
  return deadline;
}

/// Prepares the log whose stream has ended for the next stream. Returns false if there is no next
/// stream: without `follow`, after the rest of the log, after `until`, and if the container has
/// been removed. Any other refusal does not end the log, because the engine may be about to stop.
bool ContainerLogs::reopen(ContainerLog& log) const {
  if (!query_.follow || log.reads_rest()) return false;
  HttpRequest request;
  request.target = "/containers/" + log.id() + "/json";
  const Answer answer = engine_.ask(request, Call());
  if (answer.status == 404) return false;
  if (answer.ok()) {
    Container container;
    add_inspection(container, answer);
    if (!container.is_live()) {
      log.read_rest();
      return true;
    }
  }
  if (query_.until) return false;
  // The engine restarts the container, or did not say.
  log.due = Clock::now() + kRestartPause;
  return true;
}

/// Delivers what has arrived. Returns false if the log no longer belongs to the open ones.
bool ContainerLogs::serve(ContainerLog& log, const Sink& sink) {
  bool some = false;
  try {
    bool is_open = true;
    for (int reads = 0; is_open && reads < kMostReads; ++reads) {
      some = false;
      is_open = log.read(sink, some);
      if (is_open && !some) break;
    }
    if (is_open) return true;
  } catch (const Error& error) {
    if (error.code() != Code::kTemporary) throw;
    log.close();
    throw;
  }
  log.close();
  if (reopen(log)) waiting_.push_back(std::move(log));
  return false;
}

/// Delivers what has arrived in the open logs. Returns whether that was anything.
bool ContainerLogs::read_ready(const Sink& sink) {
  bool some = false;
  const Sink counting = [&](const LogChunk& chunk) {
    some = true;
    sink(chunk);
  };
  for (std::size_t i = 0; i < open_.size() && !cancelled_;) {
    if (!open_[i].is_open()) {  // an error has closed it
      waiting_.push_back(std::move(open_[i]));
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
    } else if (serve(open_[i], counting)) {
      ++i;
    } else {
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return some;
}

void ContainerLogs::wait(Clock::time_point until) {
  std::vector<pollfd> fds = {{wake_.fd(), POLLIN, 0}};
  for (const ContainerLog& log : open_) fds.push_back({log.fd(), POLLIN, 0});
  if (events_) fds.push_back({events_->fd(), POLLIN, 0});
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  const auto limit = std::int64_t{3'600'000};  // an hour in ms, because poll() takes an int
  if (left > 0)
    ::poll(fds.data(), fds.size(), static_cast<int>(std::min<std::int64_t>(left, limit)));
  if (!events_ || fds.back().revents == 0) return;
  events_->drain();
  has_new_ = true;
}

/// Waits before the next try after a failure.
void ContainerLogs::pause_after_failure(std::int64_t timeout_ms) {
  const auto most = std::chrono::milliseconds(timeout_ms < 0 ? kFailurePause.count() : timeout_ms);
  pollfd wake{wake_.fd(), POLLIN, 0};
  ::poll(&wake, 1, static_cast<int>(std::min(kFailurePause, most).count()));
}

LogIterator::Next ContainerLogs::next(std::int64_t timeout_ms, const Sink& sink) {
  // Without a time limit, a time so far away that wait() can still round it up to milliseconds.
  const Clock::time_point deadline = timeout_ms < 0
                                         ? Clock::time_point::max() - std::chrono::hours(1)
                                         : Clock::now() + std::chrono::milliseconds(timeout_ms);
  for (;;) {
    if (cancelled_) throw Error(Code::kCancelled, "cancelled");
    try {
      find_attempts();
      open_some();
      if (read_ready(sink)) return Next::kChunks;
    } catch (const Error& error) {
      const bool is_outage = error.code() == Code::kTemporary || error.code() == Code::kUnavailable;
      if (!is_outage || !query_.follow) throw;
      pause_after_failure(timeout_ms);
      // After kUnavailable the host would give up (log_next in abi/scheduler.h).
      throw Error(Code::kTemporary, error.message(), error.hint());
    }
    if (open_.empty() && waiting_.empty() && supervised_.empty()) {
      faults_.throw_if_any();
      return Next::kEnd;
    }
    if (Clock::now() >= deadline) return Next::kTimeout;
    wait(next_due(deadline));
  }
}

}  // namespace slipway::docker
