// Free TCP ports for replicas.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Hands out ports that nothing on this machine listens on or has bound, on any address, and none
/// twice. They lie outside of the range from which the kernel takes ports of outgoing connections,
/// as far as it leaves room. They are leased in blocks (machine_leases.hpp): another app gets none
/// of them while a process holds leases(). A program that does not ask Slipway can still bind one;
/// only binding the port here could prevent that. Not thread safe.
class PortPicker {
 public:
  explicit PortPicker(std::string pool);

  /// Excludes `port`, which the app uses already.
  void take(std::uint16_t port) { taken_.insert(port); }
  /// Throws kUnavailable when no port is left, and what make_lease_holder() throws.
  std::uint16_t pick();

  /// Gives the leases on all that was picked to the caller.
  std::vector<OwnedFd> leases() && { return std::move(leases_); }

 private:
  bool is_candidate(std::uint32_t port) const;
  void lease_next_block();

  std::string pool_;
  std::vector<OwnedFd> leases_;
  std::uint32_t port_ = 0;  // next to look at, in the block that was leased last
  std::uint32_t end_ = 0;   // behind that block
  std::set<std::uint16_t> taken_;
  std::uint32_t kernel_first_ = 32768;
  std::uint32_t kernel_last_ = 60999;
  std::uint32_t first_block_ = 0;
  std::uint32_t blocks_tried_ = 0;
};

}  // namespace slipway::local
