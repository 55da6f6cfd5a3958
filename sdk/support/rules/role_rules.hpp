// The rules of a role, from its fields and the keys in its metadata.
#pragma once

#include "sdk/support/rules/retry_rules.hpp"
#include "slipway/app.hpp"

namespace slipway::rules {

/// Returns max_retries, retry_policy and min_replicas of the role, whether it is a service, and its
/// own `timeout_s`, `grace_s`, `retry_on` and `backoff`, which have the ranges of the run options.
/// Throws Error kInvalid, with the role and the key, for a value out of range or a `service` that
/// is no boolean. The host has checked the types of the other keys.
RoleRules rules_of(const Role& role);

}  // namespace slipway::rules
