// The readiness probe of a role: `local.ready` in its metadata.
#pragma once

#include "plugins/local/engine/replica_needs.hpp"
#include "slipway/app.hpp"

namespace slipway::local {

/// Reads `metadata = { local = { ready = { tcp = "http", within_s = 30 } } }`, or the flat form
/// (`"local.ready.tcp" = "http"`). Returns the kind kNone if there are no such keys. Throws
/// kInvalid with the key for an unknown key, an invalid value or pattern, a port that the role does
/// not have, and unless there is exactly one of tcp, command and log.
ReadyProbe ready_probe(const Role& role);

}  // namespace slipway::local
