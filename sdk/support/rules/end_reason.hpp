// The reasons for the ends of replicas.
#pragma once

#include <cstdint>
#include <string_view>

namespace slipway::rules {

/// The reason for a replica's end; kNone before it. abi/status.h explains the words (`oom`) for
/// these values. Records of the local schedulers hold these numbers.
enum class Reason : std::uint8_t {
  kNone = 0,
  kExit = 1,
  kSignal = 2,
  kOom = 3,
  kTimeout = 4,
  kCancelled = 5,
  kLost = 6,
  kSpawnFailed = 7,
  kDependency = 8,  ///< of a pending replica: its dependency can no longer be met
  kRestarted = 9,   ///< of an attempt: the supervisor restarted its role or app
  kNotReady = 10,   ///< the supervisor stopped it because it was not ready in time
  kWorkDone = 11,   ///< of a service: the supervisor stopped it because the work had ended
};

/// Returns the name of a reason, such as `exit` or `spawn_failed`; empty for kNone.
std::string_view reason_name(Reason reason);
/// Returns the reason with that name; kNone for any other text.
Reason reason_of(std::string_view name);

}  // namespace slipway::rules
