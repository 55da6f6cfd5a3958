// Which roles wait for which: `local.depends_on` in the metadata of a role.
#pragma once

#include <vector>

#include "plugins/local/engine/replica_needs.hpp"
#include "slipway/app.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::local {

/// For each role of the app, in order, what it waits for: from
/// `metadata = { "local.depends_on" = { db = "healthy", init = "succeeded" } }`, or nested
/// (`local = { depends_on = … }`). Other keys `local.…` are told as ignored. Throws kInvalid for
/// roles that are not there, other words, roles to be healthy that nobody probes, and roles that
/// would wait for each other for ever.
std::vector<std::vector<Dependency>> role_order(const AppDef& app,
                                                const Scheduler::OnFinding& on_finding);

}  // namespace slipway::local
