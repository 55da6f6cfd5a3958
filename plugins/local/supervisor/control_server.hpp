// The supervisor's end of `ctl.sock` (engine/control_protocol.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "plugins/local/engine/control_protocol.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// What a client may ask for; called from on_event(). `grace_ms` is -1 for the plan's.
struct ControlRequests {
  std::function<void(std::int64_t grace_ms)> cancel;
  std::function<void()> kill;
};

/// Serves all clients from one epoll descriptor, never blocks. A client that does not read loses
/// its connection. At most kMaxClients at a time; more wait in the listen queue.
class ControlServer {
 public:
  static constexpr std::size_t kMaxClients = 256;

  /// Takes over a listening socket. Throws kUnavailable when there is no descriptor for epoll.
  ControlServer(OwnedFd listener, ControlRequests requests);
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  /// For the event loop, level-triggered.
  int event_fd() const { return epoll_.get(); }
  void on_event();

  /// Answers the watchers that have not heard of `sequence`, or, if that is what they watch, of
  /// `app_state`.
  void publish(std::uint64_t sequence, std::uint64_t app_state);

  /// Listens there from now on; who waits in the old queue reads the end of the stream.
  void listen_on(OwnedFd listener);

  /// Closes everything, also what is still in the listen queue: all clients read the end of the
  /// stream.
  void close_all();

 private:
  struct Client {
    OwnedFd fd;
    bool watching = false;
    bool state_alone = false;  // watches the app's state, not every change
    std::optional<std::uint64_t> told;
    std::array<char, kMaxRequest> buffer{};
    std::size_t length = 0;
  };
  void accept_clients();
  void listen_for_more(bool on);
  bool read_requests(Client& client);
  bool obey(Client& client, std::string_view line);

  OwnedFd listener_;
  OwnedFd epoll_;
  ControlRequests requests_;
  std::vector<Client> clients_;
  bool listening_ = false;
};

}  // namespace slipway::local
