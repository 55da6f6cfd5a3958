// The supervisor's end of `ctl.sock` (engine/control_socket.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plugins/local/engine/control_socket.hpp"
#include "plugins/local/supervisor/timing/due_queue.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Carries out the requests of control_socket.hpp; called from on_event(). `grace_ms` is -1 for the
/// launch plan's. `by` names the client for people: "`slipway cancel`, pid 4711".
struct ControlRequests {
  std::function<void(std::int64_t grace_ms, const std::string& by)> cancel;
  std::function<void(const std::string& by)> kill;
  std::function<void()> mend;
  /// Sends a signal to running replicas. Bit i of `chosen` stands for replica `from` + i. Returns
  /// the replicas that got the signal in the same form.
  std::function<std::uint64_t(int signal, std::uint32_t from, std::uint64_t chosen)> signal;
  /// Called once after clients began to watch. They read the state next, so it must be intact.
  std::function<void()> watch;
};

/// Serves all clients from one epoll descriptor. A client that does not read loses its answers or
/// its connection. The server blocks only if no descriptor is left or epoll refuses one: then it
/// waits up to 100 ms for the request of each connection.
///
/// Every request but one to watch gets through. Watchers take at most half of the process's
/// descriptors, and the server refuses more. It closes a connection without a request if the next
/// one needs the room. Not thread safe.
class ControlServer {
 public:
  /// Takes ownership of a listening socket. Throws kTemporary if no descriptor is left for epoll,
  /// or too few remain for urgent requests.
  ControlServer(OwnedFd listener, ControlRequests requests);
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  /// Returns the descriptor for the event loop, level-triggered.
  int event_fd() const { return epoll_.get(); }
  /// Serves the clients that have sent something or left, and accepts new ones.
  void on_event();

  /// Returns when on_time() has something to do (CLOCK_BOOTTIME); kNever if it has not. If no
  /// descriptor is left even for one request, the server pauses before it looks at new connections
  /// again.
  std::int64_t next_due() const { return accepts_at_ns_; }
  /// Ends the pause if it is over at `now_ns`.
  void on_time(std::int64_t now_ns);

  /// Answers each watcher that does not know `sequence` yet. A watcher of the app alone gets an
  /// answer if it does not know `app_change`, which differs after each change of the app's state or
  /// message.
  void publish(std::uint64_t sequence, std::uint64_t app_change);

  /// Replaces the listening socket. Clients in the queue of the old one read the end of the stream.
  void listen_on(OwnedFd listener);

  /// Closes all connections, including those in the listen queue: all clients read the end of the
  /// stream.
  void close_all();

 private:
  /// A connection.
  struct Client {
    OwnedFd fd;
    std::uint64_t serial = 0;  // differs from that of every earlier connection
    bool is_watcher = false;
    bool is_waiting = false;                 // for an answer
    bool state_alone = false;                // watches the app's state and message only
    std::optional<std::uint64_t> answered;   // `sequence` or `app_change` at the last answer
    std::array<char, kMaxRequest> buffer{};  // the beginning of a request
    std::size_t length = 0;                  // bytes in the buffer
  };
  /// The clients that wait until the same number changes: `sequence` or `app_change` of publish().
  struct Waiting {
    std::vector<int> clients;     // their descriptors
    std::uint64_t published = 0;  // the number at the last publish()
    bool has_new = false;         // a client began to wait after that
  };
  /// A connection without a request. A later client may have its descriptor's number.
  struct Silent {
    int fd;
    std::uint64_t serial;
  };
  void accept_clients();
  bool accept_with_spare();
  void start_listening();
  void pause_listening();
  void set_listener_events(std::uint32_t events, int operation);
  Client& add(OwnedFd fd);
  void serve_new(OwnedFd fd);
  void serve_once(OwnedFd fd);
  bool drop_oldest_silent();
  bool refuse_one_watcher();
  void serve(Client& client);
  void dismiss(int fd);
  void drop(int fd);
  bool read_requests(Client& client);
  bool carry_out(Client& client, std::string_view line);
  bool send_signal(Client& client, std::string_view arguments);
  bool add_watch(Client& client);
  void publish(Waiting& waiting, std::uint64_t now);

  OwnedFd listener_;
  OwnedFd epoll_;
  ControlRequests requests_;
  std::unordered_map<int, Client> clients_;
  std::deque<Silent> silent_;            // oldest first; some may have made a request or left since
  OwnedFd spare_;                        // freed for a request when no descriptor is left
  std::int64_t accepts_at_ns_ = kNever;  // when it listens again; kNever: it listens
  std::uint64_t serial_ = 0;             // of the last client
  bool has_new_watch_ = false;           // since the last call of requests_.watch
  Waiting for_state_;                    // for `app_change`
  Waiting for_all_;                      // for `sequence`
  std::size_t watchers_ = 0;             // number of clients that watch
  std::size_t most_watchers_;            // largest number of them
};

}  // namespace slipway::local
