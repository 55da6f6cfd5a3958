// The readiness probe of a role: its `ready`, or `local.ready` in its metadata.
#pragma once

#include "sdk/support/rules/start_rules.hpp"
#include "slipway/app.hpp"

namespace slipway::rules {

/// Reads `ready = { tcp = "http", within_s = 30 }`, or the same as `local = { ready = … }` in the
/// metadata, also flat (`"local.ready.tcp" = "http"`). Returns the kind kNone if there are no such
/// keys, or the table is empty. Throws kInvalid with the key for an unknown key, an invalid value
/// or pattern, a port that the role does not have, or if none or several of tcp, command and log
/// are given.
ReadyProbe ready_probe(const Role& role);

}  // namespace slipway::rules
