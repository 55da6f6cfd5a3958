// Finding the supervisor of an app without its socket, and asking it for that.
#pragma once

#include <cstdint>

namespace slipway::local {

/// The pid of the supervisor of the app whose directory is open as `dir_fd`: the one in the app's
/// state, or, when that cannot be read, one that /proc shows. 0 when there is none.
std::int32_t supervisor_of(int dir_fd);

/// Sends SIGHUP to the app's supervisor, which puts `ctl.sock` and `state.bin` back. A process is
/// signalled only if its command line names the app's directory, so never another one that got the
/// number. Returns whether one was.
bool ask_for_socket(int dir_fd);

}  // namespace slipway::local
