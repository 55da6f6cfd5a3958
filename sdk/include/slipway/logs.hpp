// Reading logs: what is asked for and what comes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/abi/logs.h"
#include "slipway/status.hpp"

namespace slipway {

enum class Stream : std::int32_t {
  kCombined = SLIPWAY_STREAM_COMBINED,
  kStdout = SLIPWAY_STREAM_STDOUT,
  kStderr = SLIPWAY_STREAM_STDERR,
};

inline const char* to_string(Stream stream) {
  switch (stream) {
    case Stream::kStdout: return "stdout";
    case Stream::kStderr: return "stderr";
    case Stream::kCombined: break;
  }
  return "combined";
}

/// Some replicas of a role; none listed means all of them.
struct LogTarget {
  std::string role;
  std::vector<std::int32_t> replicas;
};

/// Whether `targets` name this replica; none name every one.
inline bool targets_include(const std::vector<LogTarget>& targets, std::string_view role,
                            std::int32_t replica) {
  const auto matches = [&](const LogTarget& target) {
    const std::vector<std::int32_t>& some = target.replicas;
    return target.role == role &&
           (some.empty() || std::find(some.begin(), some.end(), replica) != some.end());
  };
  return targets.empty() || std::any_of(targets.begin(), targets.end(), matches);
}

struct LogQuery {
  std::string app_id;
  std::vector<LogTarget> targets;  ///< none: every role
  Stream stream = Stream::kCombined;
  bool follow = false;
  TimeNs since;
  TimeNs until;

  /// Whether it asks for this replica.
  bool wants(std::string_view role, std::int32_t replica) const {
    return targets_include(targets, role, replica);
  }
};

/// Consecutive bytes of one stream of one replica; the views are valid during the call that they
/// are handed to.
struct LogChunk {
  std::string_view role;
  std::int32_t replica = 0;
  Stream stream = Stream::kCombined;
  TimeNs time;
  std::string_view bytes;
};

}  // namespace slipway
