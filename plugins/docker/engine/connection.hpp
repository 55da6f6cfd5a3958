// Connections to the Docker engine's unix socket, and the time that a caller waits for the engine.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "plugins/docker/engine/http_message.hpp"
#include "slipway/host.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::docker {

/// Returns the path of the engine's socket: `configured` if it is not empty, else that of
/// DOCKER_HOST, else /var/run/docker.sock, or $XDG_RUNTIME_DIR/docker.sock of a rootless engine if
/// only that exists. Throws Error kUnimplemented for another kind of address.
std::string engine_socket(const std::string& configured);

/// The time that a caller waits for the engine: until the deadline of the call, and at most
/// `silence` after the last refresh(). A cancellation of the call ends each wait.
class Patience {
 public:
  using Clock = std::chrono::steady_clock;

  Patience(const Call& call, std::chrono::milliseconds silence) : call_(&call), silence_(silence) {
    refresh();
  }

  /// Starts the time of silence again, because the engine has sent or accepted something.
  void refresh() { quiet_until_ = Clock::now() + silence_; }
  /// Returns the milliseconds that poll() may wait. Throws Error kCancelled after a cancellation,
  /// kTimeout after the call's deadline, and kTemporary if the engine was silent for too long.
  int left_ms() const;
  /// Returns the descriptor that becomes readable when the call is cancelled, or -1.
  int cancel_fd() const { return call_->cancel_fd(); }

 private:
  const Call* call_;
  std::chrono::milliseconds silence_;  // longest time without a refresh()
  Clock::time_point quiet_until_;      // when the time of silence ends
};

/// One connection. It never blocks: the caller polls fd().
class Connection {
 public:
  /// Connects to the socket. Throws Error kDenied without permission, kTemporary if the engine
  /// accepts no more connections, and kUnavailable otherwise, such as if no engine listens there.
  explicit Connection(const std::string& socket);

  /// Queues a request.
  void send(const HttpRequest& request) { unsent_ += message_of(request); }
  /// Queues bytes of a request's body.
  void send(const std::string& bytes) { unsent_ += bytes; }
  bool has_unsent() const { return !unsent_.empty(); }

  int fd() const { return fd_.get(); }
  /// Returns POLLIN, with POLLOUT while requests are unsent.
  short events() const;
  /// Writes as many queued bytes as the socket accepts. If the connection is broken, the next
  /// read() reports it.
  void write();
  /// Appends what has arrived to `bytes`. Returns false if the connection has ended or is broken.
  bool read(std::string& bytes);

 private:
  OwnedFd fd_;
  std::string unsent_;  // queued bytes that write() has not sent yet
};

}  // namespace slipway::docker
