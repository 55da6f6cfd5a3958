// Marks at the end of containers' names, which say why Slipway ended a container. Rationale: the
// name is the only fact about a container that can be changed later and is part of the engine's
// list.
#pragma once

#include <string>
#include <string_view>

#include "sdk/support/rules/end_reason.hpp"

namespace slipway::docker {

enum class Mark {
  kNone,
  // The whole app was stopped. If its containers have different marks, the first one here counts.
  kCancelled,
  kAppTimeout,  ///< the app took longer than app_timeout_s
  kFailFast,    ///< another replica has failed and is not retried
  kTooFew,      ///< fewer replicas than min_replicas are left
  // Only this container was stopped, or never started.
  kWorkDone,     ///< a service, after the end of all roles that are not services
  kRestarted,    ///< its role or app starts again
  kTimeout,      ///< the container took longer than timeout_s
  kNotReady,     ///< the container was not ready in time
  kDependency,   ///< what the container waits for cannot happen any more (Order::kNever)
  kSpawnFailed,  ///< the engine could not start the container
};

/// Returns whether the mark ends the whole app.
bool stops_app(Mark mark);

/// Returns the text of the mark at the end of a name, such as ".cancelled"; empty for kNone.
std::string_view name_of(Mark mark);

/// Removes the mark at the end of `name` and returns it; kNone if the name has none.
Mark take_mark(std::string& name);

/// Returns the reason of a replica with the mark; kNone for kNone.
rules::Reason reason_for(Mark mark);

}  // namespace slipway::docker
