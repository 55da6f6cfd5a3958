// The client's connection to the supervisor of an app.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "plugins/local/engine/app_ref.hpp"
#include "slipway/error.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Longest time for an answer, in milliseconds. A supervisor that starts many replicas reads its
/// socket after every few of them.
inline constexpr int kAnswerMs = 10'000;

/// The result of reach_supervisor().
enum class Reached {
  kYes,
  kUnsupervised,  ///< no process supervises the app, or the app has ended
  kUnresponsive,  ///< the supervisor accepted no connection within the limit
};

/// Connects `socket` to the supervisor of the app whose directory is `dir_fd`. During a take-over,
/// or after the socket's name was removed, asks the supervisor for the socket and waits until it
/// appears, at most `limit_ms` in all. Also works if the app's state cannot be read. Throws
/// kUnavailable, or kTemporary for a shortage, if the system refuses a descriptor or the
/// connection.
Reached reach_supervisor(const AppRef& app, int dir_fd, int limit_ms, OwnedFd& socket);

/// Sends all of `bytes`. Returns false if the other end closed the connection.
bool send_request(int socket, std::string_view bytes);

/// The result of exchange().
struct Reply {
  enum class Kind {
    kLine,    ///< the supervisor has answered
    kUnread,  ///< the supervisor closed the connection without reading the request
    kGone,    ///< the supervisor closed the connection, and may have carried out the request
  };
  Kind kind;
  std::string line;  ///< of kLine, including its newline
};

/// Sends `request` over a connection from reach_supervisor(), and waits at most `limit_ms` for a
/// line. Throws kTemporary if none arrives.
Reply exchange(const AppRef& app, int dir_fd, int socket, std::string_view request, int limit_ms);

/// Returns the error for a supervisor that does not answer; it names the supervisor's process.
Error no_answer(const AppRef& app, int dir_fd);
/// Returns the error for a finished app whose supervisor or warden still holds the lock; it names
/// the process.
Error does_not_exit(const AppRef& app, int dir_fd, Code code);

/// The result of ask_supervisor().
enum class Answer {
  kAccepted,
  kEnded,         ///< the supervisor closed the connection, because it or the app has ended
  kUnsupervised,  ///< as in Reached
};

/// Sends `request`, whose answer is kAcceptedAnswer, and waits for the answer. Throws kTemporary if
/// the supervisor does not accept the connection, or then does not answer, within `limit_ms`. Other
/// errors as reach_supervisor().
Answer ask_supervisor(const AppRef& app, int dir_fd, std::string_view request,
                      int limit_ms = kAnswerMs);

}  // namespace slipway::local
