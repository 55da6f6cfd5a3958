// The process that replaces the supervisor when it dies.
#pragma once

#include "plugins/local/supervisor/supervisor.hpp"

namespace slipway::local {

/// Forks the supervisor and waits for it. Meanwhile it holds what a successor needs: the app's
/// lock, the listening socket, and the descriptors of owner and acknowledgement. As a subreaper it
/// becomes the parent of the replicas when the supervisor dies, gets their exit statuses, and
/// supervises them itself. If it fails too, it kills them and calls abandon_app(). When the app has
/// ended, it starts the command of `on_end`. Returns the exit status of the process, in both
/// processes. The caller has blocked all signals.
int run_warden(SupervisorStart start);

}  // namespace slipway::local
