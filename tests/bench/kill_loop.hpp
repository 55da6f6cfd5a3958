#pragma once

#include <string>

namespace slipway::bench {

/// What cancelling is measured against: starts `count` times `program`, each leading a session of its own, and returns
/// how many milliseconds a plain loop takes to end them all with SIGTERM and to reap them. None is left, whatever
/// happens. Throws std::system_error.
double kill_and_reap(const std::string& program, int count);

}  // namespace slipway::bench
