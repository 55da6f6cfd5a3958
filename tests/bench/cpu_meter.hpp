#pragma once

namespace slipway::bench {

/// Makes this process the one that orphans go to, so that the processor time of daemons that it
/// starts indirectly is counted, too.
void adopt_orphans();

/// Blocks until this process has no child left, adopted ones included, and returns the processor
/// time in milliseconds that it and all children have used so far.
double settled_cpu_ms();

}  // namespace slipway::bench
