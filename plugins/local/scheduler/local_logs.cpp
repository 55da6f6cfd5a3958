#include "plugins/local/scheduler/local_logs.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "plugins/local/engine/app_lock.hpp"
#include "plugins/local/engine/app_reader.hpp"
#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/engine/control.hpp"
#include "plugins/local/engine/log_rules.hpp"
#include "plugins/local/scheduler/app_description.hpp"
#include "slipway/log_targets.hpp"

namespace slipway::local {

namespace {

/// After a temporary failure to look at the app.
constexpr std::chrono::milliseconds kRetryPause{1000};

std::string_view file_name(slipway::Stream stream) {
  switch (stream) {
    case slipway::Stream::kStdout: return kStdoutName;
    case slipway::Stream::kStderr: return kStderrName;
    case slipway::Stream::kCombined: break;
  }
  return kCombinedName;
}

/// Returns the starts of the replica's attempts, without those whose place in the log is unknown.
std::vector<AttemptStart> starts_of(const ReplicaSnapshot& replica) {
  std::vector<AttemptStart> out;
  LogEnds written;
  std::int64_t ended_ns = 0;
  bool is_known = true;
  const auto add = [&](std::int64_t started_ns) {
    // The first attempt begins at 0 in any case.
    if (out.empty() || (is_known && started_ns != 0))
      out.push_back({started_ns, written.out, written.err, ended_ns});
  };
  for (const EarlierAttempt& attempt : replica.earlier) {
    add(attempt.started_at.value_or(0));
    is_known = attempt.logs.has_value();
    written = attempt.logs.value_or(LogEnds{});
    ended_ns = attempt.finished_at.value_or(0);
  }
  add(replica.started_ns);
  return out;
}

void add_source(const AppSnapshot& app, const RoleSnapshot& role, const ReplicaSnapshot& replica,
                slipway::Stream stream, std::vector<LogSource>& out) {
  LogSource source;
  source.role = role.name;
  source.replica = replica.id;
  source.stream = static_cast<Stream>(static_cast<std::int32_t>(stream));
  source.path = app.log_dir + "/" + role.name + "/" + std::to_string(replica.id) + "/";
  source.path += file_name(stream);
  source.ended = is_terminal(app.state);
  source.owner = app.other_owner;
  source.starts = starts_of(replica);
  out.push_back(std::move(source));
}

/// Adds both streams in place of the combined one if the app keeps no combined.log.
void add_sources(const AppSnapshot& app, const RoleSnapshot& role, const ReplicaSnapshot& replica,
                 slipway::Stream stream, std::vector<LogSource>& out) {
  if (stream != slipway::Stream::kCombined || app.has_combined_logs)
    return add_source(app, role, replica, stream, out);
  add_source(app, role, replica, slipway::Stream::kStdout, out);
  add_source(app, role, replica, slipway::Stream::kStderr, out);
}

/// Returns whether more bytes may come. None come if `until` is in the past: all bytes up to it are
/// already in the files.
bool follows(const slipway::LogQuery& query) {
  return query.follow && (!query.until || *query.until > realtime_ns());
}

}  // namespace

std::vector<LogSource> log_sources(const AppSnapshot& app, const slipway::LogQuery& query) {
  std::vector<LogSource> out;
  check_targets(app.app_id, role_sizes(app), query.targets);
  for (const RoleSnapshot& role : app.roles) {
    for (const ReplicaSnapshot& replica : role.replicas) {
      if (query.wants(role.name, replica.id)) add_sources(app, role, replica, query.stream, out);
    }
  }
  return out;
}

LocalLogs::LocalLogs(AppRef ref, std::vector<LogSource> sources, const slipway::LogQuery& query,
                     HelperPath helper_path, Host host)
    : ref_(std::move(ref)),
      record_(hold_record(ref_)),
      helper_path_(helper_path),
      follows_(follows(query)),
      reader_(std::move(sources), follows_, {query.since, query.until}),
      faults_(host) {
  if (!follows_) return;
  stop_ns_ = query.until;
  subscribe();
}

/// Returns the app's summary. If it cannot be read, repairs the record and returns the repaired
/// one.
std::optional<AppSummary> LocalLogs::repaired_summary() const {
  try {
    return read_summary(ref_);
  } catch (const Error&) {
    return ensure_supervised(ref_, helper_path_);
  }
}

/// Looks at the app after an event, or again after a temporary failure. Throws what prevents that.
/// After a temporary failure, next() looks again later. After another one, following ends with the
/// present bytes.
void LocalLogs::look_at_app() {
  try {
    // After a failure, the old subscription may have lost changes.
    const bool supervised = !std::exchange(retry_at_, std::nullopt) && events_->drain();
    auto app = repaired_summary();
    if (supervised && app && !is_terminal(app->state)) return;
    reader_.watch(-1, {});
    if (app && !is_terminal(app->state)) {
      // The supervisor died and the app continues. Its successor reports the end.
      ensure_supervised(ref_, helper_path_);
      subscribe();
    } else {
      reader_.app_ended();
    }
  } catch (const Error& error) {
    reader_.watch(-1, {});
    if (error.code() != Code::kTemporary) {
      reader_.app_ended();
      throw;
    }
    retry_at_ = std::chrono::steady_clock::now() + kRetryPause;
    throw Error(error.code(), error.message() + "; `log` tries again every second", error.hint(),
                error.where());
  }
}

void LocalLogs::subscribe() {
  // Without a subscription, the app may still run: its supervisor may have died, or closed the new
  // connection for lack of descriptors.
  constexpr int kMostTries = 5;
  for (int tries = 0; tries < kMostTries; ++tries) {
    events_ = AppEvents::open(ref_, Changes::kState);
    if (events_) return reader_.watch(events_->fd(), [this] { look_at_app(); });
    const auto app = ensure_supervised(ref_, helper_path_);
    if (!app || is_terminal(app->state) || app->foreign != Foreign::kNo) break;
  }
  reader_.app_ended();
}

/// Returns `timeout_ms`, or the time until following ends or look_at_app() is due if that is
/// shorter. Ends the following if its time has come.
std::int64_t LocalLogs::limited_wait(std::int64_t timeout_ms) {
  if (retry_at_) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(*retry_at_ - std::chrono::steady_clock::now());
    const std::int64_t pause_ms = std::max<std::int64_t>(left.count(), 0);
    timeout_ms = timeout_ms < 0 ? pause_ms : std::min(timeout_ms, pause_ms);
  }
  if (!stop_ns_) return timeout_ms;
  constexpr std::int64_t kMillisecond = 1'000'000;
  const std::int64_t left = (*stop_ns_ - realtime_ns() + kMillisecond - 1) / kMillisecond;
  if (left <= 0) {
    stop_ns_.reset();
    reader_.app_ended();
    return timeout_ms;
  }
  return timeout_ms < 0 ? left : std::min(timeout_ms, left);
}

/// Calls LogReader::next() until it returns a result. Notes the error of a log that cannot be read,
/// and continues with the other logs.
LogReader::Next LocalLogs::read(std::int64_t timeout_ms, const LogReader::Sink& sink) {
  for (;;) {
    try {
      return reader_.next(std::chrono::milliseconds(timeout_ms), sink);
    } catch (const Error& error) {
      const bool is_of_one_log =
          error.code() == Code::kDenied || error.code() == Code::kUnavailable;
      if (!is_of_one_log) throw;
      const bool is_following = events_.has_value();
      faults_.add(error, is_following);
    }
  }
}

LogIterator::Next LocalLogs::next(std::int64_t timeout_ms, const Sink& sink) {
  const auto deliver = [&](const LogChunk& chunk) {
    slipway::LogChunk out;
    out.role = chunk.role;
    out.replica = chunk.replica;
    out.stream = static_cast<slipway::Stream>(static_cast<std::int32_t>(chunk.stream));
    if (chunk.time_ns != 0) out.time = chunk.time_ns;
    out.bytes = chunk.bytes;
    sink(out);
  };
  for (;;) {
    if (retry_at_ && std::chrono::steady_clock::now() >= *retry_at_) look_at_app();
    const std::int64_t wait_ms = limited_wait(timeout_ms);
    switch (read(wait_ms, deliver)) {
      case LogReader::Next::kChunks: return Next::kChunks;
      case LogReader::Next::kTimeout:
        if (wait_ms == timeout_ms) return Next::kTimeout;
        break;  // limited_wait() ends the following, or look_at_app() is due
      case LogReader::Next::kEnd: faults_.throw_if_any(); return Next::kEnd;
      case LogReader::Next::kCancelled:
        throw Error(Code::kCancelled, "reading the logs was cancelled");
    }
  }
}

}  // namespace slipway::local
