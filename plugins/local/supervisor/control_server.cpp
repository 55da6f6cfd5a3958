#include "plugins/local/supervisor/control_server.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "plugins/local/engine/file_io.hpp"

namespace slipway::local {
namespace {

bool send_line(int fd, std::string_view line) {
  return ::send(fd, line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT) ==
         static_cast<ssize_t>(line.size());
}

}  // namespace

ControlServer::ControlServer(OwnedFd listener, ControlRequests requests)
    : listener_(std::move(listener)),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      requests_(std::move(requests)) {
  if (!epoll_) throw system_error(Code::kUnavailable, "cannot make", "an epoll descriptor", errno);
  listen_for_more(true);
}

void ControlServer::listen_for_more(bool on) {
  if (on == listening_) return;
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = listener_.get();
  ::epoll_ctl(epoll_.get(), on ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, listener_.get(), &event);
  listening_ = on;
}

void ControlServer::accept_clients() {
  while (clients_.size() < kMaxClients) {
    OwnedFd fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!fd && (errno == EINTR || errno == ECONNABORTED)) continue;
    // Without a free descriptor the queue stays readable; looking away until a client leaves keeps
    // the loop quiet.
    if (!fd && errno != EAGAIN) break;
    if (!fd) return;
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = fd.get();
    if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd.get(), &event) != 0) continue;
    Client client;
    client.fd = std::move(fd);
    clients_.push_back(std::move(client));
  }
  if (!clients_.empty()) listen_for_more(false);
}

bool ControlServer::obey(Client& client, std::string_view line) {
  if (line == kWatchRequest || line == kWatchStateRequest) {
    client.watching = true;
    client.state_alone = line == kWatchStateRequest;
    return true;
  }
  if (line == kKillRequest) {
    requests_.kill();
    return send_line(client.fd.get(), kAcceptedAnswer);
  }
  if (line.substr(0, kCancelWord.size()) != kCancelWord) return false;
  line.remove_prefix(kCancelWord.size());
  std::int64_t grace_ms = -1;
  const auto [end, problem] = std::from_chars(line.data(), line.data() + line.size() - 1, grace_ms);
  if (problem != std::errc() || *end != '\n') return false;
  requests_.cancel(grace_ms < 0 ? -1 : grace_ms);
  return send_line(client.fd.get(), kAcceptedAnswer);
}

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
    if (!obey(client, pending.substr(0, newline + 1))) return false;
    client.length -= newline + 1;
    std::memmove(client.buffer.data(), client.buffer.data() + newline + 1, client.length);
  }
}

void ControlServer::on_event() {
  epoll_event events[32];
  const int n = ::epoll_wait(epoll_.get(), events, 32, 0);
  for (int i = 0; i < n; ++i) {
    const int fd = events[i].data.fd;
    if (fd == listener_.get()) {
      accept_clients();
      continue;
    }
    const auto client = std::find_if(clients_.begin(), clients_.end(),
                                     [fd](const Client& c) { return c.fd.get() == fd; });
    if (client == clients_.end() || read_requests(*client)) continue;
    // A child that is just being started may hold a copy of the descriptor, so closing alone would
    // not end its events.
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
    clients_.erase(client);
    listen_for_more(true);
  }
}

void ControlServer::publish(std::uint64_t sequence, std::uint64_t app_state) {
  for (Client& client : clients_) {
    const std::uint64_t now = client.state_alone ? app_state : sequence;
    if (!client.watching || client.told == now) continue;
    client.watching = false;
    client.told = now;
    send_line(client.fd.get(), kChangedAnswer);
  }
}

void ControlServer::listen_on(OwnedFd listener) {
  listen_for_more(false);
  listener_ = std::move(listener);
  listen_for_more(clients_.size() < kMaxClients);
}

void ControlServer::close_all() {
  clients_.clear();
  listener_.reset();
}

}  // namespace slipway::local
