// `ctl.sock`, the stream socket in an app's directory: its requests and answers, and the functions
// that open each end.
//
// A message is one line of at most kMaxRequest bytes.
//
//   watch      -> "changed\n" as soon as the state's sequence number differs from the one at the
//                 last "changed" on this connection. The first answer comes at once, so that the
//                 client misses no change between connecting and reading. One answer per request.
//   state      -> like `watch`, but answers only when the app's own state or message changes. A
//                 connection keeps the kind of its first request: after a `state`, a later `watch`
//                 also means `state`, and the reverse.
//   cancel MS  -> stops the app. MS is the grace time in milliseconds; -1 stands for the plan's.
//                 "accepted\n" once the request is recorded.
//   kill       -> stops the app with SIGKILL. "accepted\n" once the request is recorded.
//   mend       -> repairs state.bin: compares every byte with the supervisor's own copy, and
//                 restores those that differ. "accepted\n" when that is done.
//   signal N FROM CHOSEN -> sends signal N to the process groups of running replicas. CHOSEN has
//                 16 hexadecimal digits; bit i stands for replica FROM + i of the state file.
//                 The answer is "signalled SENT\n": SENT has the form of CHOSEN and stands for the
//                 replicas that got the signal. A repeated request sends the signal again.
//
// The supervisor answers `watch` and `state` with "busy\n" and closes the connection if too many
// clients watch. A client that already watches may get this answer later, if the supervisor needs
// the descriptor of its connection. The client then watches events.log instead. The supervisor
// never refuses the other requests, but it may close a connection that has sent no request yet; the
// client then connects again.
//
// The supervisor closes every connection after state.bin has the app's terminal state; a client
// that reads the end of the stream reads the state again. The supervisor also closes a connection
// on which it receives a line that is not one of these requests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

inline constexpr char kSocketName[] = "ctl.sock";
inline constexpr char kSocketDraftName[] = ".ctl.sock";  // its name until clients can connect
inline constexpr std::size_t kMaxRequest = 64;           // bytes, with the newline
inline constexpr std::uint32_t kSignalReplicas = 64;     // most replicas of one signal request
inline constexpr std::string_view kWatchRequest = "watch\n";
inline constexpr std::string_view kWatchStateRequest = "state\n";
inline constexpr std::string_view kKillRequest = "kill\n";
inline constexpr std::string_view kMendRequest = "mend\n";
inline constexpr std::string_view kCancelWord = "cancel ";
inline constexpr std::string_view kSignalWord = "signal ";
inline constexpr std::string_view kChangedAnswer = "changed\n";
inline constexpr std::string_view kAcceptedAnswer = "accepted\n";
inline constexpr std::string_view kSignalledWord = "signalled ";
inline constexpr std::string_view kBusyAnswer = "busy\n";

/// Connects to `ctl.sock` in the directory, whose path may have any length. Empty with errno set:
/// ENOENT or ECONNREFUSED if no process listens, EAGAIN if the listen queue was full for
/// `limit_ms`, which must be greater than 0.
OwnedFd connect_control(int dir_fd, int limit_ms);

/// Listens on `ctl.sock` in the directory (mode 0600), and replaces the socket of a dead
/// supervisor. The name appears when clients can connect. The caller holds the lock on the
/// app's record (app_lock.hpp). Empty with errno set on failure.
OwnedFd listen_control(int dir_fd);

/// Returns the inode of `ctl.sock` in the directory; 0 if the socket is missing.
std::uint64_t socket_inode(int dir_fd);

}  // namespace slipway::local
