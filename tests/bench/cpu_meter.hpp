#pragma once

namespace slipway::bench {

/// Makes this process the parent of orphans, so that it also counts the processor time of
/// indirectly started daemons.
void adopt_orphans();

/// Blocks until this process has no child left, including adopted ones. Returns the processor time
/// in milliseconds that it and all children have used.
double settled_cpu_ms();

}  // namespace slipway::bench
