// Leases that all users of this machine agree on: abstract addresses of Unix sockets.
//
// The kernel gives an address to one socket at a time, whatever the rights of its owner are, and
// frees it when the last descriptor of that socket is closed. Processes that inherited the
// descriptor hold the lease together, so a lease outlives each of its holders but never all of
// them. No file is involved, so no user can remove a lease or prepare its place.
//
// Addresses belong to a network namespace: processes in different ones do not see each other's
// leases. core/docs/decisions/0016_leases_are_addresses.md has the reasons.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// The longest name of a pool, in bytes.
inline constexpr std::size_t kLongestPool = 64;

/// Returns the pool that this command leases from: SLIPWAY_LOCAL_LEASE_POOL where that is set, else
/// `machine`. Leases of different pools do not exclude each other. Throws kInvalid for a name that
/// is too long.
std::string lease_pool();

/// Makes a descriptor that can hold one lease. It is close-on-exec. Throws kTemporary when the
/// system is short of descriptors or memory, kUnavailable when it refuses.
OwnedFd make_lease_holder();

/// Takes lease `name` of `pool` for `holder`, without waiting. Returns true when the holder has the
/// lease now, also when it had it before. False: another socket has it, or the kernel is short of
/// memory.
bool take_lease(const OwnedFd& holder, const std::string& pool, const std::string& name);

/// Returns whether `holder` has a lease, taken by whichever process.
bool has_lease(const OwnedFd& holder);

/// Number of TCP ports that one lease is of: a descriptor each would be too many for large apps.
inline constexpr std::uint32_t kPortsPerLease = 32;

/// Takes the lease on the ports from `first`, a multiple of kPortsPerLease. Returns nothing when
/// another app has it. Errors as make_lease_holder's.
OwnedFd lease_ports(const std::string& pool, std::uint32_t first);

/// Returns the leases of `pool` whose names begin with `start`, each with the user id of its
/// holder. The map is empty where the kernel does not say (before Linux 5.3, or without its
/// unix_diag module). Names have no `start` in front.
std::map<std::string, std::uint32_t> lease_users(const std::string& pool, const std::string& start);

}  // namespace slipway::local
