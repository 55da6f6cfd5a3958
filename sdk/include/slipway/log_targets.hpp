// Checks whether the roles and replicas of a log query or signal order exist in the app.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/app.hpp"
#include "slipway/error.hpp"
#include "slipway/logs.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// A role of an app and its number of replicas.
struct RoleSize {
  std::string role;
  std::int32_t replicas = 0;
};

/// Returns the sizes of all roles of `app`.
inline std::vector<RoleSize> role_sizes(const AppDef& app) {
  std::vector<RoleSize> out;
  for (const Role& role : app.roles) out.push_back({role.name, role.num_replicas});
  return out;
}

/// Throws Error kNotFound for the first target that is not in `roles`. Its hint lists the roles or
/// replicas that exist.
inline void check_targets(std::string_view app_id, const std::vector<RoleSize>& roles,
                          const std::vector<LogTarget>& targets) {
  for (const LogTarget& target : targets) {
    const auto role = std::find_if(roles.begin(), roles.end(),
                                   [&](const RoleSize& one) { return one.role == target.role; });
    if (role == roles.end()) {
      std::string names;
      for (const RoleSize& one : roles) names += (names.empty() ? "" : ", ") + one.role;
      throw Error(Code::kNotFound, "app " + std::string(app_id) + " has no role " + target.role,
                  "its roles are: " + names);
    }
    for (const std::int32_t id : target.replicas) {
      if (id >= 0 && id < role->replicas) continue;
      throw Error(Code::kNotFound, "role " + target.role + " has no replica " + std::to_string(id),
                  "its replicas are 0 to " + std::to_string(role->replicas - 1));
    }
  }
}

}  // namespace sdk_1_0
}  // namespace slipway
