// The processes that a plug-in left running.
#pragma once

namespace slipway::check {

/// Makes this process the parent of every process that a check's process leaves behind.
void adopt_descendants();

/// Waits a few seconds for the end of all child processes, then kills those that are left, and
/// their children. Gives up a few seconds later. The caller must have blocked SIGCHLD.
void end_descendants();

}  // namespace slipway::check
