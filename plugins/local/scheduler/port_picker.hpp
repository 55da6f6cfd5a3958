// Free TCP ports for replicas.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Hands out ports that nothing on this machine listens on or has bound, on any address, and none
/// twice. They lie outside of the range from which the kernel takes ports of outgoing connections, as
/// far as it leaves room. Each is leased: another app of this machine does not get it as long as a
/// process has lease_fd() open. Programs that do not ask here may still take one; nobody can keep
/// them from that without holding the port. Not thread safe.
class PortPicker {
 public:
  /// Throws kCantCreate when the machine's lock directory cannot be used.
  explicit PortPicker(const std::string& lock_dir);

  /// `port` is used by the app already: it is not handed out.
  void take(std::uint16_t port) { taken_.insert(port); }
  /// Throws kUnavailable when no port is left.
  std::uint16_t pick();

  int lease_fd() const { return leases_.get(); }

 private:
  bool is_candidate(std::uint32_t port) const;

  OwnedFd leases_;
  std::set<std::uint16_t> taken_;
  std::uint32_t kernel_first_ = 32768;
  std::uint32_t kernel_last_ = 60999;
  std::uint32_t next_ = 0;
};

}  // namespace slipway::local
