// The process that replaces the supervisor when it dies.
#pragma once

#include "plugins/local/supervisor/supervisor.hpp"

namespace slipway::local {

/// Forks the supervisor and waits for it. Meanwhile it holds what a successor needs: the app's
/// lock, the listening socket, and the descriptors of owner and acknowledgement. As a subreaper it
/// becomes the parent of the replicas when the supervisor dies, and supervises them itself, with
/// their exit statuses. Returns the exit status of the process, in both processes. The caller has
/// blocked all signals.
int run_warden(SupervisorStart start);

}  // namespace slipway::local
