// The end of an app whose record cannot be used.
#pragma once

#include <string>

namespace slipway::local {

/// Kills the app's processes and waits for their end: the replicas that `state.bin` in `dir_fd`
/// still names (by pid and start time, in this boot), and all others that app_members.hpp finds.
/// Rebuilds a damaged state file from the journal (state_rebuild.hpp). Then marks the unfinished
/// replicas FAILED, lost unless a failure of theirs is recorded already, and the app FAILED with
/// the message `why`. Leaves a finished app alone. Returns false if the state file is missing or
/// damaged and cannot be rebuilt. The caller holds the app's lock.
///
/// Throws as app_mark() does, and has then done nothing. After the end of the processes, throws
/// kTemporary if the system is short of descriptors or memory, and OtherVersion for a state file of
/// another version, which it leaves as it is.
bool abandon_app(int dir_fd, const std::string& why);

}  // namespace slipway::local
