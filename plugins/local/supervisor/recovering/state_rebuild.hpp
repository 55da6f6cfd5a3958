// Rebuilds a damaged `state.bin` from the launch plan and the journal.
#pragma once

namespace slipway::local {

/// Writes `state.bin` in `dir_fd` from `plan.bin` and `events.log`, with the attempts, ends and
/// times of the journal up to its last whole line. A replica whose end is not in the journal stays
/// RUNNING or PENDING. Renames the old file to `state.bin.damaged`. The caller holds the app's
/// lock, and no process of the app lives.
///
/// Returns false and changes nothing if the plan is damaged, the journal is missing or does not
/// begin with the submission, the disk is full, or a damaged line may have had an event that
/// matters: one before the end of the app that no successor has repeated.
bool rebuild_state(int dir_fd);

}  // namespace slipway::local
