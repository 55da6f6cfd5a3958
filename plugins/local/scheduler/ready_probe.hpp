// How to find out that a role is ready: `local.ready` in its metadata.
#pragma once

#include "plugins/local/engine/replica_needs.hpp"
#include "slipway/app.hpp"

namespace slipway::local {

/// From `metadata = { local = { ready = { tcp = "http", within_s = 30 } } }`, or flat
/// (`"local.ready.tcp" = "http"`); of the kind kNone where there is nothing of it. Throws kInvalid
/// that names the key: for keys that are not known, values that cannot be, ports that the role does
/// not have, patterns that are none, and more or less than one of tcp, command and log.
ReadyProbe ready_probe(const Role& role);

}  // namespace slipway::local
