// Logs as C++ values: queries, and chunks of output. See abi/logs.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/abi/logs.h"
#include "slipway/status.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// A stream of a replica. kCombined has stdout and stderr; abi/logs.h says in which order.
enum class Stream : std::int32_t {
  kCombined = SLIPWAY_STREAM_COMBINED,
  kStdout = SLIPWAY_STREAM_STDOUT,
  kStderr = SLIPWAY_STREAM_STDERR,
};

/// Returns "combined", "stdout" or "stderr".
inline const char* to_string(Stream stream) {
  switch (stream) {
    case Stream::kStdout: return "stdout";
    case Stream::kStderr: return "stderr";
    case Stream::kCombined: break;
  }
  return "combined";
}

/// Replicas of one role; all of them if `replicas` is empty.
struct LogTarget {
  std::string role;
  std::vector<std::int32_t> replicas;
};

/// Returns whether `targets` select this replica. Empty targets select every replica.
inline bool targets_include(const std::vector<LogTarget>& targets, std::string_view role,
                            std::int32_t replica) {
  const auto matches = [&](const LogTarget& target) {
    const std::vector<std::int32_t>& some = target.replicas;
    return target.role == role &&
           (some.empty() || std::find(some.begin(), some.end(), replica) != some.end());
  };
  return targets.empty() || std::any_of(targets.begin(), targets.end(), matches);
}

/// A selection of logs; see slipway_log_query.
struct LogQuery {
  std::string app_id;
  std::vector<LogTarget> targets;  ///< if empty, every role
  Stream stream = Stream::kCombined;
  bool follow = false;
  TimeNs since;
  TimeNs until;

  /// Returns whether the query selects this replica.
  bool wants(std::string_view role, std::int32_t replica) const {
    return targets_include(targets, role, replica);
  }
};

/// Consecutive bytes of one stream of one replica. The views are valid during the call that
/// receives the chunk.
///
/// Output of the app that no replica wrote, such as that of a launcher, a batch script or an image
/// download, has an empty `role` and the `replica` -1. Queries with targets do not select it.
struct LogChunk {
  std::string_view role;     ///< empty if `replica` is -1
  std::int32_t replica = 0;  ///< its number in the role, or -1
  Stream stream = Stream::kCombined;
  TimeNs time;
  std::string_view bytes;
};

}  // namespace sdk_1_0
}  // namespace slipway
