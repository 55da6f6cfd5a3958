#include "plugins/local/scheduler/local_logs.hpp"

#include <chrono>
#include <utility>

#include "plugins/local/engine/control.hpp"
#include "plugins/local/engine/record_hold.hpp"
#include "plugins/local/engine/state_file.hpp"
#include "plugins/local/scheduler/app_description.hpp"
#include "slipway/log_targets.hpp"

namespace slipway::local {

namespace {

const char* file_name(slipway::Stream stream) {
  switch (stream) {
    case slipway::Stream::kStdout: return "stdout.log";
    case slipway::Stream::kStderr: return "stderr.log";
    case slipway::Stream::kCombined: break;
  }
  return "combined.log";
}

void add_source(const AppSnapshot& app, const RoleSnapshot& role, const ReplicaSnapshot& replica,
                slipway::Stream stream, std::vector<LogSource>& out) {
  LogSource source;
  source.role = role.name;
  source.replica = replica.id;
  source.stream = static_cast<Stream>(static_cast<std::int32_t>(stream));
  source.path =
      app.log_dir + "/" + role.name + "/" + std::to_string(replica.id) + "/" + file_name(stream);
  source.ended = is_terminal(app.state);
  source.owner = app.foreign_owner;
  source.started_ns =
      replica.earlier.empty() ? replica.started_ns : replica.earlier[0].started_at.value_or(0);
  out.push_back(std::move(source));
}

/// Both streams stand in for the combined one where that is not kept.
void add_sources(const AppSnapshot& app, const RoleSnapshot& role, const ReplicaSnapshot& replica,
                 slipway::Stream stream, std::vector<LogSource>& out) {
  if (stream != slipway::Stream::kCombined || app.has_combined_logs)
    return add_source(app, role, replica, stream, out);
  add_source(app, role, replica, slipway::Stream::kStdout, out);
  add_source(app, role, replica, slipway::Stream::kStderr, out);
}

std::int64_t now_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

/// What was written until some time in the past does not grow any more.
bool follows(const slipway::LogQuery& query) {
  return query.follow && (!query.until || *query.until > now_ns());
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
                     HelperPath helper_path)
    : ref_(std::move(ref)),
      record_(hold_record(ref_)),
      helper_path_(helper_path),
      reader_(std::move(sources), follows(query), {query.since, query.until}) {
  if (!follows(query)) return;
  stop_ns_ = query.until;
  subscribe();
}

/// The app as it is now; a damaged record is repaired first.
std::optional<AppSummary> LocalLogs::settled_summary() const {
  try {
    return read_summary(ref_);
  } catch (const Error&) {
    return settle(ref_, helper_path_);
  }
}

void LocalLogs::on_event() {
  const bool supervised = events_->drain();
  auto app = settled_summary();
  if (supervised && app && !is_terminal(app->state)) return;
  reader_.watch(-1, {});
  if (app && !is_terminal(app->state)) {
    // the supervisor died and the app goes on: its successor tells the end
    try {
      settle(ref_, helper_path_);
      subscribe();
    } catch (const Error&) {
      // Nobody will tell the end: what is there is the end.
      reader_.app_ended();
      throw;
    }
  } else {
    reader_.app_ended();
  }
}

void LocalLogs::subscribe() {
  events_ = AppEvents::open(ref_, Changes::kState);
  if (events_) {
    reader_.watch(events_->fd(), [this] { on_event(); });
  } else {
    reader_.app_ended();
  }
}

/// How long to wait at most when `timeout_ms` is wanted; tells the reader when the end has come.
std::int64_t LocalLogs::until_the_end(std::int64_t timeout_ms) {
  if (!stop_ns_) return timeout_ms;
  constexpr std::int64_t kMillisecond = 1'000'000;
  const std::int64_t left = (*stop_ns_ - now_ns() + kMillisecond - 1) / kMillisecond;
  if (left <= 0) {
    stop_ns_.reset();
    reader_.app_ended();
    return timeout_ms;
  }
  return timeout_ms < 0 ? left : std::min(timeout_ms, left);
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
    const std::int64_t wait_ms = until_the_end(timeout_ms);
    switch (reader_.next(std::chrono::milliseconds(wait_ms), deliver)) {
      case LogReader::Next::kChunks: return Next::kChunks;
      case LogReader::Next::kTimeout:
        if (wait_ms == timeout_ms) return Next::kTimeout;
        break;
      case LogReader::Next::kEnd: return Next::kEnd;
      case LogReader::Next::kCancelled:
        throw Error(Code::kCancelled, "reading the logs was cancelled");
    }
  }
}

}  // namespace slipway::local
