// Marks in the names of containers: why Slipway ended one. The name is the only fact about a
// container that can be changed later and is part of the engine's list.
#pragma once

#include <string>
#include <string_view>

#include "sdk/support/rules/end_reason.hpp"

namespace slipway::docker {

enum class Mark {
  kNone,
  // The whole app was stopped. If containers have different ones, the first of these counts.
  kCancelled,
  kAppTimeout,  ///< it took longer than app_timeout_s
  kFailFast,    ///< another replica has failed for good
  kTooFew,      ///< fewer replicas than min_replicas are left
  // The container alone.
  kWorkDone,     ///< a service, after all other roles
  kRestarted,    ///< its role or app starts again
  kTimeout,      ///< it took longer than timeout_s
  kNotReady,     ///< it was not ready in time
  kDependency,   ///< a role that it waits for has failed
  kSpawnFailed,  ///< the engine could not start it
};

/// Returns whether the mark ends the whole app.
bool stops_app(Mark mark);

/// Returns the end of the name of a container with the mark, such as ".cancelled"; empty for kNone.
std::string_view name_of(Mark mark);

/// Returns the mark at the end of `name`, and removes it there.
Mark take_mark(std::string& name);

/// Returns the reason of a replica with the mark; kNone for kNone.
rules::Reason reason_for(Mark mark);

}  // namespace slipway::docker
