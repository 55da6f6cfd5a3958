#include "plugins/local/scheduler/port_picker.hpp"

#include <netinet/in.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdio>
#include <memory>

#include "plugins/local/engine/machine_locks.hpp"
#include "slipway/error.hpp"

namespace slipway::local {

namespace {

constexpr std::uint32_t kFirst = 10'000;  // below live the well-known services
constexpr std::uint32_t kLast = 65'535;
// With less than that outside of the kernel's range, it is used all the same.
constexpr std::uint32_t kEnough = 1'000;

/// Whether nobody has bound the port, for IPv4 or IPv6, on whatever address.
bool is_free(std::uint16_t port) {
  OwnedFd socket(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (socket) {
    const int both = 0;
    ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &both, sizeof both);
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(port);
    address.sin6_addr = in6addr_any;
    if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
      return true;
    if (errno == EADDRINUSE) return false;
  }
  // A machine without IPv6.
  socket.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  return socket &&
         ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

}  // namespace

PortPicker::PortPicker(const std::string& lock_dir)
    : leases_(open_machine_lock(lock_dir, kPortLocks)) {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(
      std::fopen("/proc/sys/net/ipv4/ip_local_port_range", "re"), &std::fclose);
  unsigned first = 0;
  unsigned last = 0;
  if (file && std::fscanf(file.get(), "%u %u", &first, &last) == 2) {
    kernel_first_ = first;
    kernel_last_ = last;
  }
  std::uint32_t outside = 0;
  for (std::uint32_t port = kFirst; port <= kLast; ++port) outside += is_candidate(port) ? 1 : 0;
  if (outside < kEnough) kernel_first_ = kernel_last_ = 0;
  // Two launches at once begin in different places.
  if (::getrandom(&next_, sizeof next_, 0) != static_cast<ssize_t>(sizeof next_)) next_ = 0;
}

bool PortPicker::is_candidate(std::uint32_t port) const {
  return port < kernel_first_ || port > kernel_last_;
}

std::uint16_t PortPicker::pick() {
  constexpr std::uint32_t kSpan = kLast - kFirst + 1;
  for (std::uint32_t tries = 0; tries < kSpan; ++tries) {
    const std::uint32_t number = kFirst + next_++ % kSpan;
    const auto port = static_cast<std::uint16_t>(number);
    if (!is_candidate(number) || taken_.count(port) != 0) continue;
    if (!lock_byte(leases_.get(), port)) continue;
    if (is_free(port)) {
      taken_.insert(port);
      return port;
    }
    unlock_byte(leases_.get(), port);
  }
  throw Error(Code::kUnavailable,
              "no free TCP port is left on this machine for a port of the app's port_map",
              "end other apps, or name the ports");
}

}  // namespace slipway::local
