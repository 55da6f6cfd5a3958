#include "plugins/local/supervisor/starting/port_lease.hpp"

#include <set>
#include <string>
#include <utility>

#include "plugins/local/engine/machine_leases.hpp"
#include "slipway/error.hpp"

namespace slipway::local {

std::vector<OwnedFd> regain_port_leases(const LaunchPlan& plan) {
  std::vector<OwnedFd> leases;
  if (plan.lease_pool.empty()) return leases;
  std::set<std::uint32_t> firsts;
  for (const LaunchGroup& group : plan.groups) {
    for (const auto& entry : group.ports)
      firsts.insert(entry.second / kPortsPerLease * kPortsPerLease);
  }
  for (const std::uint32_t first : firsts) {
    try {
      OwnedFd lease = lease_ports(plan.lease_pool, first);
      if (lease) leases.push_back(std::move(lease));
    } catch (const Error&) {
      break;
    }
  }
  return leases;
}

}  // namespace slipway::local
