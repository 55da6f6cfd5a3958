// The script that sends a signal to replicas on their own node.
#pragma once

#include <string>

namespace slipway::slurm {

/// Whether the shell around a replica (batch_script.hpp) outlives a signal that all processes of
/// its step get. Others would end or stop it, and how the replica ended would not be recorded.
bool wrapper_outlives(int signal);

/// For `bash -c SCRIPT NAME APP PART SIGNAL [PID REPLICA NODE]...`: sends the signal to the
/// programs of the replicas that are on this node and to what they have started, and prints the
/// number of each replica that got it. APP is the job's id, PART the component's number. A PID
/// counts only if its parent is the shell around a replica of that component of that app: never a
/// process that got the number later.
std::string node_signal_script();

}  // namespace slipway::slurm
