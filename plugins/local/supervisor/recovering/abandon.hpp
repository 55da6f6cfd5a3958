// An app whose record cannot be used: nobody can supervise it, so nothing of it may go on.
#pragma once

#include <string>

namespace slipway::local {

/// Kills the recorded replicas, as far as `state.bin` in `dir_fd` still tells of them (by pid and
/// start time, in this boot) and whatever else belongs to the app (app_members.hpp), and waits for
/// their end. A state that is damaged is made anew from the journal (state_rebuild.hpp). What has
/// not ended by that is recorded as lost, and the app as FAILED for the reason `why`; of an app
/// that had ended nothing changes. False: there is no state, and nothing to make it from. The
/// caller holds the app's lock.
bool abandon_app(int dir_fd, const std::string& why);

}  // namespace slipway::local
