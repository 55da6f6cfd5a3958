#include "core/lint/role_rules.hpp"
#include "core/lint/rules.hpp"

namespace slipway::lint {

void check_replicas(const RoleContext& context) {
  const Role& role = context.role;
  if (role.max_retries == 0 && context.written("retry_policy") && !context.failed("max_retries")) {
    context.warn(rule::kRetriesWithoutEffect, "retry_policy",
                 std::string("the policy ") + to_string(role.retry_policy) +
                     " has no effect without retries",
                 "set max_retries");
  }
  if (role.min_replicas == role.num_replicas && context.written("min_replicas") &&
      !context.failed("num_replicas")) {
    context.warn(rule::kMinReplicasWithoutEffect, "min_replicas",
                 "min_replicas equals num_replicas",
                 "leave it out, or make it less to let the role run with fewer replicas");
  }
}

}  // namespace slipway::lint
