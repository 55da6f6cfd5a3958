#include "sdk/support/tcp_probe.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace slipway {
namespace {

struct Address {
  sockaddr_storage bytes{};
  socklen_t length = 0;
};

/// Returns the address. For a text that is not numeric, it has no family, so that socket() fails.
Address make_address(const char* text, std::uint16_t port) {
  Address out;
  auto* const four = reinterpret_cast<sockaddr_in*>(&out.bytes);
  auto* const six = reinterpret_cast<sockaddr_in6*>(&out.bytes);
  if (::inet_pton(AF_INET, text, &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons(port);
    out.length = sizeof *four;
  } else if (::inet_pton(AF_INET6, text, &six->sin6_addr) == 1) {
    six->sin6_family = AF_INET6;
    six->sin6_port = htons(port);
    out.length = sizeof *six;
  }
  return out;
}

/// Returns whether a socket is connected to itself. That happens if the port that the kernel
/// chooses for the socket is the port that it connects to.
bool is_connected_to_itself(int socket) {
  sockaddr_storage own{};
  sockaddr_storage peer{};
  socklen_t own_length = sizeof own;
  socklen_t peer_length = sizeof peer;
  return ::getsockname(socket, reinterpret_cast<sockaddr*>(&own), &own_length) == 0 &&
         ::getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &peer_length) == 0 &&
         own_length == peer_length && std::memcmp(&own, &peer, own_length) == 0;
}

Connection outcome(int socket, int& error) {
  if (error == 0 && is_connected_to_itself(socket)) error = ECONNREFUSED;
  return error == 0 ? Connection::kUp : Connection::kDown;
}

}  // namespace

Connection begin_connection(const char* address, std::uint16_t port, OwnedFd& socket, int& error) {
  const Address to = make_address(address, port);
  socket.reset(
      ::socket(to.bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
  if (!socket) return error = errno, Connection::kDown;
  const bool done =
      ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&to.bytes), to.length) == 0;
  error = done ? 0 : errno;
  if (error == EINPROGRESS) return Connection::kOpening;
  const Connection result = outcome(socket.get(), error);
  socket.reset();
  return result;
}

Connection end_connection(int socket, int& error) {
  socklen_t length = sizeof error;
  if (::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) != 0) error = errno;
  return outcome(socket, error);
}

}  // namespace slipway
