// A damaged `state.bin` written again from the plan and the journal.
#pragma once

namespace slipway::local {

/// Writes `state.bin` in `dir_fd` from `plan.bin` and `events.log`: names, attempts, ends and times
/// are those of the journal, up to its last whole line. A replica whose end is not in the journal
/// is left RUNNING or PENDING. The old file is kept as `state.bin.damaged`. The caller holds the
/// app's lock, and no process of the app is alive.
///
/// False, with everything as it was: there is no intact plan or no journal, the disk is full, or
/// lines that cannot be read leave open how a finished app or one of its replicas ended.
bool rebuild_state(int dir_fd);

}  // namespace slipway::local
