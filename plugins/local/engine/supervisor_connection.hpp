// Reaching the supervisor of an app through its socket.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "plugins/local/engine/app_ref.hpp"
#include "slipway/error.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// How long a supervisor may take to answer; it looks at its socket after every few starts.
inline constexpr int kAnswerMs = 10'000;

enum class Reached {
  kYes,
  kNobody,  ///< no process supervises the app
  kBusy,    ///< a process does, and there was no connection within the limit
};

/// Connects `socket` to the supervisor of the app whose directory is open as `dir_fd`. While
/// another process is just taking over, or the socket's name was removed, asks for the socket and
/// waits until it appears, at most `limit_ms` in all. An app whose state cannot be read can be
/// reached, too. Throws kUnavailable when the system refuses a descriptor.
Reached reach_supervisor(const AppRef& app, int dir_fd, int limit_ms, OwnedFd& socket);

/// Sends all of `bytes`. False when the other end is gone.
bool send_request(int socket, std::string_view bytes);

struct Reply {
  enum class Kind {
    kLine,
    kUnread,  ///< the other end closed the connection and had not read the request
    kGone,    ///< it closed the connection, and may have carried out the request
  };
  Kind kind;
  std::string line;  ///< with its newline
};

/// Sends `request` over a connection that reach_supervisor() made, and waits at most `limit_ms` for
/// a line. Throws kTemporary when none comes.
Reply exchange(const AppRef& app, int dir_fd, int socket, std::string_view request, int limit_ms);

/// The error for a supervisor that does not answer; names its process.
Error no_answer(const AppRef& app, int dir_fd);

enum class Answer {
  kAccepted,
  kEnded,   ///< the supervisor closed the connection: it, or the app, has ended
  kNobody,  ///< no process supervises the app
};

/// Sends `request`, one that is answered with kAcceptedAnswer, and waits for the answer. Throws
/// kTemporary when a supervisor does not answer within `limit_ms`.
Answer ask_supervisor(const AppRef& app, int dir_fd, std::string_view request,
                      int limit_ms = kAnswerMs);

}  // namespace slipway::local
