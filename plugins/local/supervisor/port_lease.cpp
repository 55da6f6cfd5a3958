#include "plugins/local/supervisor/port_lease.hpp"

#include "plugins/local/engine/machine_locks.hpp"
#include "slipway/error.hpp"

namespace slipway::local {

OwnedFd regain_port_lease(const LaunchPlan& plan) {
  if (plan.lock_dir.empty()) return OwnedFd();
  OwnedFd lease;
  for (const LaunchGroup& group : plan.groups) {
    for (const auto& entry : group.ports) {
      try {
        if (!lease) lease = open_machine_lock(plan.lock_dir, kPortLocks);
      } catch (const Error&) {
        return OwnedFd();
      }
      lock_byte(lease.get(), entry.second);
    }
  }
  return lease;
}

}  // namespace slipway::local
