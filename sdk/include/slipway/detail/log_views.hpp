// Converts log queries and chunks between C++ values and C views.
#pragma once

#include <string>
#include <vector>

#include "slipway/detail/status_views.hpp"
#include "slipway/error.hpp"
#include "slipway/logs.hpp"

namespace slipway {
inline namespace sdk_1_0 {
namespace abi {

/// Returns the stream, or kCombined for one that this version does not know.
inline Stream read_stream(std::int32_t stream) {
  return stream == SLIPWAY_STREAM_STDOUT   ? Stream::kStdout
         : stream == SLIPWAY_STREAM_STDERR ? Stream::kStderr
                                           : Stream::kCombined;
}

/// Returns C views of targets, which must outlive the views.
inline std::vector<slipway_log_target> views_of(const std::vector<LogTarget>& targets) {
  std::vector<slipway_log_target> out;
  out.reserve(targets.size());
  for (const LogTarget& target : targets) {
    auto t = sized<slipway_log_target>();
    t.role = view(target.role);
    t.replicas = target.replicas.data();
    t.replica_count = target.replicas.size();
    out.push_back(t);
  }
  return out;
}

inline std::vector<LogTarget> read(const slipway_log_target_array& targets) {
  std::vector<LogTarget> out;
  each_widened<slipway_log_target>(targets, [&](const slipway_log_target& t) {
    out.push_back({str(t.role), {}});
    // A target without replicas may have NULL.
    if (t.replica_count > 0) out.back().replicas.assign(t.replicas, t.replicas + t.replica_count);
  });
  return out;
}

/// A C view of a LogQuery, which must outlive it.
class LogQueryView {
 public:
  explicit LogQueryView(const LogQuery& q)
      : targets_(views_of(q.targets)), view_(sized<slipway_log_query>()) {
    view_.follow = q.follow ? 1 : 0;
    view_.stream = static_cast<std::int32_t>(q.stream);
    view_.app_id = view(q.app_id);
    view_.targets = array_of<slipway_log_target_array>(targets_);
    view_.since_ns = time_of(q.since);
    view_.until_ns = time_of(q.until);
  }
  LogQueryView(const LogQueryView&) = delete;
  LogQueryView& operator=(const LogQueryView&) = delete;
  const slipway_log_query* get() const { return &view_; }

 private:
  std::vector<slipway_log_target> targets_;
  slipway_log_query view_;
};

/// Throws Error kUnimplemented for a stream that this version does not know, because a query is an
/// order to a plug-in (R8).
inline LogQuery read(const slipway_log_query& from) {
  const slipway_log_query q = widen(&from);
  LogQuery out;
  out.app_id = str(q.app_id);
  out.targets = read(q.targets);
  if (q.stream < SLIPWAY_STREAM_COMBINED || q.stream > SLIPWAY_STREAM_STDERR)
    throw Error(Code::kUnimplemented,
                "this plug-in does not know the stream " + std::to_string(q.stream));
  out.stream = read_stream(q.stream);
  out.follow = q.follow != 0;
  out.since = read_time(q.since_ns);
  out.until = read_time(q.until_ns);
  return out;
}

inline slipway_log_chunk view_of(const LogChunk& chunk) {
  auto v = sized<slipway_log_chunk>();
  v.replica = chunk.replica;
  v.stream = static_cast<std::int32_t>(chunk.stream);
  v.role = view_or_absent(chunk.role);
  v.time_ns = time_of(chunk.time);
  v.bytes = view(chunk.bytes);
  return v;
}

/// Returns a chunk whose views refer to the memory of `from`.
inline LogChunk read(const slipway_log_chunk& from) {
  const slipway_log_chunk c = widen(&from);
  return {text(c.role), c.replica, read_stream(c.stream), read_time(c.time_ns), text(c.bytes)};
}

}  // namespace abi
}  // namespace sdk_1_0
}  // namespace slipway
