// What goes over `ctl.sock`, a stream socket in the app's directory. One line per message, at most
// kMaxRequest bytes.
//
//   watch      -> "changed\n" as soon as the sequence number differs from the one of the last
//                 "changed" on this connection, so the first time at once: no change can fall
//                 between connecting and reading. One answer per request.
//   state      -> the same, but only changes of the app's own state count.
//   cancel MS  -> stop the app; MS is the grace time in milliseconds, -1 for the plan's.
//                 "accepted\n" once recorded.
//   kill -> stop it with SIGKILL now. "accepted\n" once recorded. mend -> compare every byte of
//   state.bin with what the supervisor knows, and put right what
//                 differs. "accepted\n" once done.
//   signal N FROM CHOSEN -> send signal N to the process groups of replicas that run. CHOSEN has 16
//                 hexadecimal digits; bit i stands for record FROM + i. "signalled SENT\n", of the
//                 same form: those that got it. Asked twice, it signals twice.
//
// `watch` and `state` may be answered with "busy\n", and the connection closed: so many wait
// already that more would leave no descriptor for the app itself. The client then watches
// events.log. The other requests are never refused.
//
// The supervisor closes every connection after the app's terminal state is in state.bin; a client
// that reads the end of the stream reads the state again. Anything else that a client sends makes
// the supervisor close that connection.
#pragma once

#include <cstddef>
#include <string_view>

namespace slipway::local {

inline constexpr char kSocketName[] = "ctl.sock";
inline constexpr char kSocketDraftName[] = ".ctl.sock";
inline constexpr std::size_t kMaxRequest = 64;
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

}  // namespace slipway::local
