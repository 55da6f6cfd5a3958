#include "sdk/check/checks/app_roles.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace slipway::check {

namespace {

bool has_role(const AppDef& app, const std::string& name) {
  return std::any_of(app.roles.begin(), app.roles.end(),
                     [&](const Role& role) { return role.name == name; });
}

}  // namespace

void verify_roles(const SeenApp& app, const AppDef& submitted) {
  std::map<std::string, std::set<std::int32_t>> seen;
  StrList order;
  for (const SeenReplica& replica : app.replicas) {
    if (order.empty() || order.back() != replica.role) order.push_back(replica.role);
    const auto& earlier = seen[replica.role];
    require(earlier.empty() || *earlier.rbegin() <= replica.id,
            "describe does not list the replicas of role \"" + replica.role +
                "\" in the order of their ids");
    require(seen[replica.role].insert(replica.id).second,
            "describe lists replica " + replica.role + "/" + std::to_string(replica.id) + " twice");
    if (app.state == SLIPWAY_STATE_SUCCEEDED) {
      require(replica.state == SLIPWAY_STATE_SUCCEEDED,
              "the app SUCCEEDED and its replica " + replica.role + "/" +
                  std::to_string(replica.id) + " is " + state_name(replica.state));
      require(!replica.has_exit_code || replica.exit_code == 0,
              "the app SUCCEEDED and its replica " + replica.role + "/" +
                  std::to_string(replica.id) + " has exit code " +
                  std::to_string(replica.exit_code));
    }
  }
  for (const std::string& name : order) {
    require(has_role(submitted, name),
            "describe lists a role \"" + name + "\", which the app does not have");
  }
  for (const Role& role : submitted.roles) {
    const auto replicas = seen.find(role.name);
    require(replicas != seen.end(), "describe lists no role \"" + role.name + "\"");
    const auto index = static_cast<std::size_t>(&role - submitted.roles.data());
    require(order[index] == role.name, "describe lists the roles in another order than the app");
    require(static_cast<std::int32_t>(replicas->second.size()) == role.num_replicas &&
                *replicas->second.begin() == 0 &&
                *replicas->second.rbegin() == role.num_replicas - 1,
            "describe does not list replicas 0 to " + std::to_string(role.num_replicas - 1) +
                " of role \"" + role.name + "\"");
  }
}

}  // namespace slipway::check
