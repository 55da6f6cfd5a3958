// An app whose record cannot be used: nobody can supervise it, so nothing of it may go on.
#pragma once

#include <string>

namespace slipway::local {

/// Kills the recorded replicas, as far as `state.bin` in `dir_fd` still tells of them (by pid and
/// start time, in this boot) and whatever else belongs to the app (app_members.hpp), and waits for
/// their end. Then, if
/// the state can be written, records them as lost and the app as FAILED for the reason `why`.
/// Returns whether that could be. The caller holds the app's lock.
bool abandon_app(int dir_fd, const std::string& why);

}  // namespace slipway::local
