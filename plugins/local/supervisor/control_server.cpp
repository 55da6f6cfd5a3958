#include "plugins/local/supervisor/control_server.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "sdk/support/plain_number.hpp"

namespace slipway::local {
namespace {

/// Maximum number of connections that one call of on_event() accepts, so that many clients do not
/// delay the other events of the supervisor.
constexpr int kMostAccepts = 64;
/// Maximum number of connections that have sent no request yet. If there are more, the server
/// closes the oldest, so clients that never send a request cannot take all descriptors.
constexpr std::size_t kMostSilent = 256;
/// Maximum number of watchers. To answer more of them would take too long.
constexpr std::size_t kMostWatchers = 100'000;

bool send_line(int fd, std::string_view line) {
  return ::send(fd, line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT) ==
         static_cast<ssize_t>(line.size());
}

/// Removes `byte` from the start of `text`. Returns false if `text` starts with another one.
bool take_byte(std::string_view& text, char byte) {
  if (!text.starts_with(byte)) return false;
  text.remove_prefix(1);
  return true;
}

/// Returns whether one of the process's standard streams is a pseudo-terminal that was closed, such
/// as that of a lost ssh session. The link in /proc then has this end.
bool has_closed_terminal(pid_t pid) {
  constexpr std::size_t kLongest = 64;  // bytes, more than such a name has
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    const std::string link = "/proc/" + std::to_string(pid) + "/fd/" + std::to_string(stream);
    char name[kLongest];
    const ssize_t n = ::readlink(link.c_str(), name, sizeof name);
    const std::string_view terminal(name, n > 0 ? static_cast<std::size_t>(n) : 0);
    if (terminal.starts_with("/dev/pts/") && terminal.ends_with(" (deleted)")) return true;
  }
  return false;
}

/// Returns the argument of a process that says what it does: the first one if it is a word. If it
/// is an option, as in `slipway -q run app.toml`, the first command of Slipway that can end apps.
/// Returns an empty text without such an argument. `arguments` are separated by zero bytes.
std::string command_word(std::string_view arguments) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const bool has_options = arguments.starts_with('-');
  while (!arguments.empty()) {
    const std::string_view word = arguments.substr(0, arguments.find('\0'));
    arguments.remove_prefix(std::min(word.size() + 1, arguments.size()));
    if (!has_options) {
      const bool is_word = std::all_of(word.begin(), word.end(), is_letter);
      return std::string(is_word ? word : std::string_view());
    }
    for (const std::string_view command : {"run", "rerun", "attach", "cancel", "delete"}) {
      if (word == command) return std::string(word);
    }
  }
  return {};
}

/// Returns "`slipway cancel`, pid 4711" for the process at the other end of the socket: its program
/// and its command_word(). Names the user if that is not the app's, and says if the terminal of the
/// process was closed.
std::string name_of_client(int fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return "an unknown process";
  const std::string words = kernel_file("/proc/" + std::to_string(peer.pid) + "/cmdline");
  const std::size_t end = std::min(words.find('\0'), words.size());
  std::string out = words.substr(0, end);
  out.erase(0, out.rfind('/') + 1);
  const std::string command =
      command_word(std::string_view(words).substr(std::min(end + 1, words.size())));
  if (!command.empty()) out += ' ' + command;
  constexpr std::size_t kLongest = 80;  // bytes of program and argument
  out = out.empty() ? "a process" : '`' + out.substr(0, kLongest) + '`';
  out += ", pid " + std::to_string(peer.pid);
  if (peer.uid != ::geteuid()) out += " of user " + std::to_string(peer.uid);
  if (has_closed_terminal(peer.pid)) out += ", whose terminal was closed";
  return out;
}

/// Waits for the request of a client that cannot stay. Clients send it right after they connect.
void await_request(int fd) {
  constexpr int kLongestMs = 100;
  pollfd client{fd, POLLIN, 0};
  ::poll(&client, 1, kLongestMs);
}

/// Returns half of the descriptors that this process may have, but at most kMostWatchers.
std::size_t share_of_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  return static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur / 2, kMostWatchers));
}

}  // namespace

ControlServer::ControlServer(OwnedFd listener, ControlRequests requests)
    : listener_(std::move(listener)),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      requests_(std::move(requests)),
      spare_(::open("/dev/null", O_RDONLY | O_CLOEXEC)),
      most_watchers_(share_of_descriptors()) {
  if (!epoll_) throw system_error(Code::kUnavailable, "cannot make", "an epoll descriptor", errno);
  // A supervisor that has no descriptor left needs the spare one to accept an order to cancel the
  // app, and a second one to write the app's end.
  const OwnedFd second(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!spare_ || !second)
    throw system_error(Code::kUnavailable, "cannot keep", "a spare descriptor", errno);
  start_listening();
}

void ControlServer::start_listening() {
  accepts_at_ns_ = kNever;
  set_listener_events(EPOLLIN, EPOLL_CTL_ADD);
}

void ControlServer::set_listener_events(std::uint32_t events, int operation) {
  epoll_event event{};
  event.events = events;
  event.data.fd = listener_.get();
  if (::epoll_ctl(epoll_.get(), operation, listener_.get(), &event) != 0)
    throw system_error(Code::kUnavailable, "cannot listen to", kSocketName, errno);
}

/// Stops listening for a moment: connections stay in the queue, and epoll would report them again
/// at once.
void ControlServer::pause_listening() {
  constexpr std::int64_t kPauseNs = 100'000'000;
  set_listener_events(0, EPOLL_CTL_MOD);
  accepts_at_ns_ = boottime_ns() + kPauseNs;
}

void ControlServer::on_time(std::int64_t now_ns) {
  if (now_ns < accepts_at_ns_) return;
  accepts_at_ns_ = kNever;
  if (!spare_) spare_.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  set_listener_events(EPOLLIN, EPOLL_CTL_MOD);
}

ControlServer::Client& ControlServer::add(OwnedFd fd) {
  const int number = fd.get();
  Client client;
  client.fd = std::move(fd);
  client.serial = ++serial_;
  return clients_.insert_or_assign(number, std::move(client)).first->second;
}

/// Serves a client until it leaves; only its first request if epoll refuses the connection.
void ControlServer::serve_new(OwnedFd fd) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = fd.get();
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd.get(), &event) != 0)
    return serve_once(std::move(fd));
  Client& client = add(std::move(fd));
  silent_.push_back({client.fd.get(), client.serial});
  serve(client);  // most clients have sent their request by now
}

/// Serves the first request of a client that cannot stay, and closes its connection.
void ControlServer::serve_once(OwnedFd fd) {
  const int number = fd.get();
  await_request(number);
  serve(add(std::move(fd)));
  dismiss(number);
}

void ControlServer::accept_clients() {
  for (int left = kMostAccepts; left > 0; --left) {
    OwnedFd fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (fd) {
      serve_new(std::move(fd));
      while (silent_.size() > kMostSilent && drop_oldest_silent()) {
      }
    } else if (errno != EINTR && errno != ECONNABORTED) {
      if (errno == EAGAIN) return;
      if (!drop_oldest_silent() && !refuse_one_watcher() && !accept_with_spare())
        return pause_listening();
    }
  }
}

/// Serves one request of a new connection when no descriptor is left for it, and closes it. Returns
/// false if there is no spare descriptor or no connection.
bool ControlServer::accept_with_spare() {
  if (!spare_) return false;
  spare_.reset();
  OwnedFd fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  const bool accepted = static_cast<bool>(fd);
  if (accepted) serve_once(std::move(fd));
  spare_.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  return accepted;
}

/// Closes the oldest connection that is not a watcher's: it has sent no request, or has got its
/// answer. Returns false if there is none.
bool ControlServer::drop_oldest_silent() {
  while (!silent_.empty()) {
    const Silent oldest = silent_.front();
    silent_.pop_front();
    const auto at = clients_.find(oldest.fd);
    if (at == clients_.end() || at->second.serial != oldest.serial || at->second.is_watcher)
      continue;
    drop(oldest.fd);
    return true;
  }
  return false;
}

/// Disconnects one watcher with kBusyAnswer. Returns false if the app has no watchers.
bool ControlServer::refuse_one_watcher() {
  const auto watcher = std::find_if(clients_.begin(), clients_.end(),
                                    [](const auto& one) { return one.second.is_watcher; });
  if (watcher == clients_.end()) return false;
  dismiss(watcher->first);
  return true;
}

/// Closes a connection that the server cannot keep. A watcher gets kBusyAnswer, and so watches the
/// journal instead of connecting again.
void ControlServer::dismiss(int fd) {
  const auto at = clients_.find(fd);
  if (at != clients_.end() && at->second.is_watcher) send_line(fd, kBusyAnswer);
  drop(fd);
}

void ControlServer::drop(int fd) {
  const auto at = clients_.find(fd);
  if (at == clients_.end()) return;
  if (at->second.is_watcher) --watchers_;
  // A child that is being started may hold a copy of the descriptor, so closing it alone would not
  // end its events.
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
  clients_.erase(at);
}

void ControlServer::serve(Client& client) {
  if (!read_requests(client)) drop(client.fd.get());
}

/// Makes the client a watcher. Returns false if the app has too many of them; the client then
/// watches the journal instead.
bool ControlServer::add_watch(Client& client) {
  if (!client.is_watcher) {
    if (watchers_ >= most_watchers_) {
      send_line(client.fd.get(), kBusyAnswer);
      return false;
    }
    client.is_watcher = true;
    ++watchers_;
  }
  Waiting& waiting = client.state_alone ? for_state_ : for_all_;
  if (!client.is_waiting) waiting.clients.push_back(client.fd.get());
  client.is_waiting = true;
  waiting.has_new = true;
  has_new_watch_ = true;
  return true;
}

/// Carries out the signal request with the arguments "N FROM CHOSEN\n".
bool ControlServer::send_signal(Client& client, std::string_view arguments) {
  const auto signal = take_plain_number<int>(arguments);
  if (!signal || *signal < 1 || !take_byte(arguments, ' ')) return false;
  const auto from = take_plain_number<std::uint32_t>(arguments);
  if (!from || !take_byte(arguments, ' ')) return false;
  const auto chosen = take_plain_number<std::uint64_t>(arguments, 16);
  if (!chosen || !take_byte(arguments, '\n')) return false;
  char answer[kMaxRequest];
  std::snprintf(answer, sizeof answer, "%s%016llx\n", kSignalledWord.data(),
                static_cast<unsigned long long>(requests_.signal(*signal, *from, *chosen)));
  return send_line(client.fd.get(), answer);
}

/// Carries out one request. Returns false if the server must close the connection: the request is
/// not valid, or its answer cannot be sent.
bool ControlServer::carry_out(Client& client, std::string_view line) {
  if (line == kWatchRequest || line == kWatchStateRequest) {
    // The first request decides what the connection watches.
    if (!client.is_watcher) client.state_alone = line == kWatchStateRequest;
    return add_watch(client);
  }
  if (line == kKillRequest) {
    requests_.kill(name_of_client(client.fd.get()));
    return send_line(client.fd.get(), kAcceptedAnswer);
  }
  if (line == kMendRequest) {
    requests_.mend();
    return send_line(client.fd.get(), kAcceptedAnswer);
  }
  if (line.substr(0, kSignalWord.size()) == kSignalWord)
    return send_signal(client, line.substr(kSignalWord.size()));
  if (line.substr(0, kCancelWord.size()) != kCancelWord) return false;
  line.remove_prefix(kCancelWord.size());
  const auto grace_ms = take_plain_number<std::int64_t>(line);
  if (!grace_ms || !take_byte(line, '\n')) return false;
  requests_.cancel(std::max<std::int64_t>(*grace_ms, -1), name_of_client(client.fd.get()));
  return send_line(client.fd.get(), kAcceptedAnswer);
}

/// Carries out the requests that have arrived. Returns false if the server must close the
/// connection.
bool ControlServer::read_requests(Client& client) {
  const ssize_t n = ::recv(client.fd.get(), client.buffer.data() + client.length,
                           client.buffer.size() - client.length, MSG_DONTWAIT);
  if (n < 0) return errno == EAGAIN || errno == EINTR;
  if (n == 0) return false;
  client.length += static_cast<std::size_t>(n);
  for (;;) {
    const std::string_view pending(client.buffer.data(), client.length);
    const std::size_t newline = pending.find('\n');
    if (newline == std::string_view::npos) return client.length < client.buffer.size();
    if (!carry_out(client, pending.substr(0, newline + 1))) return false;
    client.length -= newline + 1;
    std::memmove(client.buffer.data(), client.buffer.data() + newline + 1, client.length);
  }
}

void ControlServer::on_event() {
  epoll_event events[64];
  const int n = ::epoll_wait(epoll_.get(), events, 64, 0);
  bool more = false;
  for (int i = 0; i < n; ++i) {
    const int fd = events[i].data.fd;
    const auto client = clients_.find(fd);
    if (client != clients_.end()) {
      serve(client->second);
    } else {
      more = more || fd == listener_.get();
    }
  }
  if (more) accept_clients();
  if (has_new_watch_) requests_.watch();
  has_new_watch_ = false;
}

void ControlServer::publish(Waiting& waiting, std::uint64_t now) {
  if (!waiting.has_new && waiting.published == now) return;
  waiting.has_new = false;
  waiting.published = now;
  const auto answer = [&](int fd) {
    const auto at = clients_.find(fd);
    // The client may have left, and another one, perhaps of the other list, may have its number.
    if (at == clients_.end() || !at->second.is_waiting) return true;
    if (&waiting != (at->second.state_alone ? &for_state_ : &for_all_)) return true;
    if (at->second.answered == now) return false;
    at->second.is_waiting = false;
    at->second.answered = now;
    send_line(fd, kChangedAnswer);
    return true;
  };
  waiting.clients.erase(std::remove_if(waiting.clients.begin(), waiting.clients.end(), answer),
                        waiting.clients.end());
}

void ControlServer::publish(std::uint64_t sequence, std::uint64_t app_change) {
  publish(for_all_, sequence);
  publish(for_state_, app_change);
}

void ControlServer::listen_on(OwnedFd listener) {
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, listener_.get(), nullptr);
  listener_ = std::move(listener);
  start_listening();
}

void ControlServer::close_all() {
  clients_.clear();
  listener_.reset();
}

}  // namespace slipway::local
