// The Docker engine: requests and answers over its unix socket, with errors for people.
#pragma once

#include <chrono>
#include <deque>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/docker/engine/connection.hpp"
#include "plugins/docker/engine/http_message.hpp"
#include "slipway/error.hpp"
#include "slipway/host.hpp"

namespace slipway::docker {

/// Time without a byte from the engine after which a request has failed.
inline constexpr std::chrono::seconds kSilenceLimit{20};
/// The same limit for requests that create, start, rename or remove something, which take longer.
inline constexpr std::chrono::seconds kChangeLimit{120};
/// Number of connections for changes of many containers. The engine carries out one request of a
/// connection at a time.
inline constexpr std::size_t kConnections = 8;

/// Returns whether the engine refused the request because it shuts down or has lost its containerd,
/// so that the same request may succeed later.
bool is_engine_unable(const Answer& answer);
/// Returns the error for an answer other than success. Its message is `what` and the engine's
/// words; its hint, which may be empty, says what to do.
Error engine_error(const std::string& what, const Answer& answer);
/// Returns the error for the engine's words about a failed pull.
Error pull_error(const std::string& image, const std::string& words);
/// Returns the error for the engine's words about a failed build, with the output of its last step.
Error build_error(const std::string& what, const std::string& words, const std::string& output);
/// Returns the `message` in the engine's answer, or the start of its body if it has none.
std::string engine_words(const Answer& answer);
/// Returns whether the engine's words contain one of the texts. Distinguishes upper and lower case.
bool mentions(std::string_view words, std::initializer_list<std::string_view> texts);

/// An answer that arrives over time: logs, events, the progress of a pull.
class AnswerStream {
 public:
  /// Sends the request and waits for the header of the answer. An answer other than success may
  /// arrive before the whole body is sent; the rest is then not sent.
  AnswerStream(const std::string& socket, const HttpRequest& request, Patience patience);

  /// Returns the answer without its body.
  const Answer& head() const { return head_; }
  /// Returns a descriptor for poll(). read() never blocks.
  int fd() const { return connection_.fd(); }
  /// Appends the body's bytes that have arrived to `body`. Returns false at the end of the answer.
  /// Throws Error kTemporary if the connection ends earlier.
  bool read(std::string& body);
  /// Returns the answer with its body, at most about 256 MiB. For the body of an error.
  Answer finish(Patience patience);

 private:
  bool is_sending() const;

  Connection connection_;
  bool is_body_queued_;  // whether the whole body of the request is queued or sent
  std::string arrived_;  // bytes that are not parsed yet
  std::string body_;     // bytes of the body that read() has not returned yet
  AnswerParser parser_;
  Answer head_;
};

/// Thread-safe: each call has connections of its own. The functions throw the errors of Connection,
/// Patience and AnswerParser, and Error kPrecondition if the engine's API is too old.
class Engine {
 public:
  explicit Engine(std::string socket) : socket_(std::move(socket)) {}

  const std::string& socket() const { return socket_; }

  /// Returns the answers in the order of `requests`, also those that report an error. Sends the
  /// requests over at most `connections` connections and does not wait for one answer before the
  /// next request, so the number of round trips does not grow with that of the requests.
  std::vector<Answer> ask_all(const std::vector<HttpRequest>& requests, const Call& call,
                              std::chrono::milliseconds silence = kSilenceLimit,
                              std::size_t connections = 1) const;
  /// Returns the answer to one request.
  Answer ask(const HttpRequest& request, const Call& call,
             std::chrono::milliseconds silence = kSilenceLimit) const;
  /// Opens a stream. Does not throw if the engine refuses the request: the caller checks head().
  std::unique_ptr<AnswerStream> open(const HttpRequest& request, const Call& call,
                                     std::chrono::milliseconds silence = kSilenceLimit) const;
  /// The number of connections that order() has at the same time: they need a descriptor each.
  static constexpr std::size_t kMaxOrders = 200;

  /// Sends the requests, each over its own connection, and waits at most `time_limit` for the
  /// answers to each kMaxOrders of them, which it does not return. The engine also carries out
  /// requests that it has not answered by then.
  void order(const std::vector<HttpRequest>& requests, const Call& call,
             std::chrono::milliseconds time_limit) const;

 private:
  std::string socket_;
};

/// Returns the engine of the plug-in's configuration; see engine_socket().
Engine configured_engine(const Host& host, const std::string& config_json);

}  // namespace slipway::docker
