#include "plugins/local/scheduler/port_picker.hpp"

#include <netinet/in.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdio>
#include <memory>

#include "plugins/local/engine/machine_leases.hpp"
#include "slipway/error.hpp"

namespace slipway::local {

namespace {

// Well-known services have the ports below. Both ends are those of a block.
constexpr std::uint32_t kFirst = 10'016;
constexpr std::uint32_t kLast = 65'535;
constexpr std::uint32_t kBlocks = (kLast - kFirst + 1) / kPortsPerLease;
static_assert(kFirst % kPortsPerLease == 0 && (kLast + 1) % kPortsPerLease == 0);
// With less than that outside of the kernel's range, it is used all the same.
constexpr std::uint32_t kEnough = 1'000;

/// Returns whether no socket has bound the port, on any address of IPv4 or IPv6.
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

PortPicker::PortPicker(std::string pool) : pool_(std::move(pool)) {
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
  std::uint32_t random = 0;
  if (::getrandom(&random, sizeof random, 0) == static_cast<ssize_t>(sizeof random))
    first_block_ = random % kBlocks;
}

bool PortPicker::is_candidate(std::uint32_t port) const {
  return port < kernel_first_ || port > kernel_last_;
}

/// Leases another block, so that pick() finds its ports between `port_` and `end_`.
void PortPicker::lease_next_block() {
  while (blocks_tried_ < kBlocks) {
    const std::uint32_t block = (first_block_ + blocks_tried_++) % kBlocks;
    const std::uint32_t first = kFirst + block * kPortsPerLease;
    const std::uint32_t end = first + kPortsPerLease;
    port_ = first;
    while (port_ < end && !is_candidate(port_)) ++port_;
    if (port_ == end) continue;
    OwnedFd lease = lease_ports(pool_, first);
    if (!lease) continue;
    leases_.push_back(std::move(lease));
    end_ = end;
    return;
  }
  throw Error(Code::kUnavailable,
              "no free TCP port is left on this machine for a port of the app's port_map",
              "end other apps, or name the ports");
}

std::uint16_t PortPicker::pick() {
  for (;;) {
    while (port_ < end_) {
      const std::uint32_t number = port_++;
      const auto port = static_cast<std::uint16_t>(number);
      if (!is_candidate(number) || taken_.count(port) != 0 || !is_free(port)) continue;
      taken_.insert(port);
      return port;
    }
    lease_next_block();
  }
}

}  // namespace slipway::local
