// Adds up the CPU time and memory that the attempts of an app have used.
#pragma once

#include <cstdint>
#include <string>

#include "slipway/status.hpp"

namespace slipway {

/// Returns the CPU time of all attempts together, and the most memory that one of them has used.
/// Attempts that still run may be missing. Returns zeros if entries of `app` stand for several
/// replicas (SLIPWAY_WANT_MERGED), because such entries lack what some replicas have used.
ResourceUse resource_use(const Description& app);

/// Returns "12.3 s"; "0.0 s" for a negative time.
std::string seconds_text(std::int64_t ns);
/// Returns "35 MiB" or "1.5 GiB"; at least "1 MiB".
std::string size_text(std::int64_t bytes);

/// Returns "12.3 s CPU, 35 MiB"; empty if nothing is known.
std::string use_text(const ResourceUse& use);

}  // namespace slipway
