// The supervisor's end of `ctl.sock` (engine/control_protocol.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plugins/local/engine/control_protocol.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// What a client may ask for; called from on_event(). `grace_ms` is -1 for the plan's.
struct ControlRequests {
  std::function<void(std::int64_t grace_ms)> cancel;
  std::function<void()> kill;
  std::function<void()> mend;
  /// Sends a signal to replicas that run: of `chosen`, bit i stands for replica `from` + i. Returns
  /// those that got it in the same form.
  std::function<std::uint64_t(int signal, std::uint32_t from, std::uint64_t chosen)> signal;
  /// At least one client watches and reads the state next.
  std::function<void()> watch;
};

/// Serves all clients from one epoll descriptor, never blocks. A client that does not read loses
/// its connection.
///
/// Watchers may have half of the process's descriptors; more are refused. A connection that has
/// made no request yet may be closed to make room for the next, so that clients that say nothing
/// keep no request out.
class ControlServer {
 public:
  /// Takes over a listening socket. Throws kUnavailable when there is no descriptor for epoll.
  ControlServer(OwnedFd listener, ControlRequests requests);
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  /// For the event loop, level-triggered.
  int event_fd() const { return epoll_.get(); }
  void on_event();

  /// Answers each watcher that has not heard of `sequence`, or, if it watches the app alone, of
  /// `app_change`, a number that differs after each change of the app's state or message.
  void publish(std::uint64_t sequence, std::uint64_t app_change);

  /// Listens there from now on; clients in the old queue read the end of the stream.
  void listen_on(OwnedFd listener);

  /// Closes everything, also what is still in the listen queue: all clients read the end of the
  /// stream.
  void close_all();

 private:
  struct Client {
    OwnedFd fd;
    std::uint64_t serial = 0;
    bool is_watcher = false;
    bool is_waiting = false;   // for an answer to a watch
    bool state_alone = false;  // watches the app's state and message, not every change
    std::optional<std::uint64_t> told;
    std::array<char, kMaxRequest> buffer{};
    std::size_t length = 0;
  };
  /// The clients that wait for the same number to change.
  struct Waiting {
    std::vector<int> clients;
    std::uint64_t published = 0;
    bool has_new = false;
  };
  /// A connection without a request; its number may belong to a later client by now.
  struct Silent {
    int fd;
    std::uint64_t serial;
  };
  void accept_clients();
  bool accept_with_spare();
  void listen_for_more(bool on);
  bool add(OwnedFd fd);
  bool drop_oldest_silent();
  bool refuse_a_watcher();
  void serve(Client& client);
  void drop(int fd);
  bool read_requests(Client& client);
  bool obey(Client& client, std::string_view line);
  bool send_signal(Client& client, std::string_view order);
  bool let_watch(Client& client);
  void publish(Waiting& waiting, std::uint64_t now);

  OwnedFd listener_;
  OwnedFd epoll_;
  ControlRequests requests_;
  std::unordered_map<int, Client> clients_;
  std::deque<Silent> silent_;  // oldest first; some have made a request or left since
  OwnedFd spare_;              // for a request when no descriptor is left
  std::uint64_t serial_ = 0;
  bool has_watched_ = false;  // a client has begun to watch in this turn
  Waiting for_state_;
  Waiting for_all_;
  std::size_t watchers_ = 0;
  std::size_t most_watchers_;
};

}  // namespace slipway::local
