// A damaged `state.bin` made anew from the plan and the journal.
#pragma once

namespace slipway::local {

/// Makes `state.bin` in `dir_fd` from `plan.bin` and `events.log`: names, attempts, ends and times are what the journal
/// tells, to the last whole line of it; what it does not tell the end of is left RUNNING or PENDING. The file that was
/// there is kept as `state.bin.damaged`. The caller holds the app's lock, and no process of the app is alive.
///
/// False, with everything as it was: there is no intact plan or no journal, or the disk is full.
bool rebuild_state(int dir_fd);

}  // namespace slipway::local
