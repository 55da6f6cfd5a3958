#pragma once

namespace slipway::bench {

/// Makes this process the parent of descendants whose own parent ends, so that settled_cpu_ms()
/// also counts daemons that commands start.
void become_subreaper();

/// Blocks until this process has no child left, including adopted ones. Returns the processor time
/// in milliseconds that it and all children have used.
double settled_cpu_ms();

}  // namespace slipway::bench
