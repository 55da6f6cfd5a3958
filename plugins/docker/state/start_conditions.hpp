// What a replica waits for before it starts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "plugins/docker/state/app_progress.hpp"
#include "slipway/status.hpp"

namespace slipway::docker {

/// The pause before an attempt that follows another one.
struct Pause {
  TimeNs from;                 ///< the end of the attempts before; nullopt: there is no pause
  std::int64_t length_ns = 0;  ///< the same whenever it is asked for
};

/// Returns the pause before the last attempt of the replica, which has not started.
Pause pause_before(const AppRules& rules, const AppProgress& progress,
                   const ReplicaProgress& replica);

/// Returns whether the readiness probe of the container has passed.
using IsReady = std::function<bool(const Container&)>;

enum class Order {
  kMayStart,
  kWaits,
  kNever,  ///< a role that it waits for has failed
};

/// Returns whether the order of roles lets replicas of the role start. A role that has started once
/// keeps that right until the app starts again.
Order order_of(const AppRules& rules, const AppProgress& progress, std::size_t role,
               const IsReady& is_ready);

/// Returns whether `max_parallel` lets a replica of the role start while `running` others run,
/// which are not of services.
bool has_slot(const AppRules& rules, std::size_t role, std::size_t running);
/// Returns the number of replicas that run and are not of services.
std::size_t running_work(const AppProgress& progress);

/// What a pending replica waits for, in words that follow "waits for"; empty if nothing is known.
struct Wait {
  std::string text;
  TimeNs end;  ///< of the pause
};

Wait wait_of(const AppRules& rules, const AppProgress& progress, const ReplicaProgress& replica,
             std::int64_t now_ns);

}  // namespace slipway::docker
