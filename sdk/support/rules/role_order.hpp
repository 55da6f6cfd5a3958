// The order in which roles start: `depends_on` of a role, or `local.depends_on` in its metadata.
#pragma once

#include <vector>

#include "sdk/support/rules/start_rules.hpp"
#include "slipway/app.hpp"

namespace slipway::rules {

/// Returns for each role of the app, in order, the roles that it waits for. Reads
/// `depends_on = { db = "healthy", init = "succeeded" }`, or the same as `local.depends_on` in the
/// metadata, also nested (`local = { depends_on = … }`). Throws kInvalid for an unknown key
/// `local.…`, for `depends_on` or `ready` both with and without `local.`, for a value that is not
/// a table, for an unknown role or condition, for `succeeded` of a service, for `healthy` of a role
/// without a valid readiness probe, and for roles that would wait for each other or themselves
/// forever.
std::vector<std::vector<Dependency>> role_order(const AppDef& app);

}  // namespace slipway::rules
