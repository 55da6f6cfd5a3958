// The process that takes the supervisor's place when it dies.
#pragma once

#include "plugins/local/supervisor/supervisor.hpp"

namespace slipway::local {

/// Forks the supervisor and waits for it, holding what a successor needs: the app's lock, the
/// listening socket, the owner's and the acknowledgement's descriptor. As a subreaper it becomes
/// the parent of the replicas when the supervisor dies, and then supervises them itself, with their
/// true exit statuses. Returns the process's exit status, in both processes. All signals are
/// blocked on entry.
int run_warden(SupervisorStart start);

}  // namespace slipway::local
