// Leases on GPUs and ports. At any time, at most one app on this machine, of all users, has a given
// lease.
//
// A lease is an abstract address of a Unix socket. The kernel gives an address to one socket at a
// time, of whichever user, and frees it when the last descriptor of the socket is closed.
// All processes that inherited the descriptor hold the lease, so it ends with the last of them. A
// lease is not a file, so no user can remove it or block its name.
//
// Addresses belong to a network namespace, so leases of different network namespaces do not exclude
// each other. core/docs/decisions/0016_leases_are_addresses.md has the reasons.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Longest name of a pool, in bytes.
inline constexpr std::size_t kLongestPool = 64;

/// Returns the pool of this command's leases: SLIPWAY_LOCAL_LEASE_POOL if it is set and not empty,
/// else `machine`. Leases of different pools do not exclude each other. Throws kInvalid if the name
/// is too long.
std::string lease_pool();

/// Returns a descriptor that can hold one lease; it is close-on-exec. Throws kTemporary if the
/// system is short of descriptors or memory, else kUnavailable.
OwnedFd make_lease_holder();

/// Takes lease `name` of `pool` for `holder`, without waiting. Returns true if the holder now has
/// the lease, even if it had it before. False if another socket has it, or on any other failure.
/// The caller never uses a holder for two names: a holder that has any lease counts as having this
/// one.
bool take_lease(const OwnedFd& holder, const std::string& pool, const std::string& name);

/// Returns whether `holder` has a lease, which this or another process may have taken.
bool has_lease(const OwnedFd& holder);

/// Number of TCP ports of one lease. One descriptor per port would be too many for large apps.
inline constexpr std::uint32_t kPortsPerLease = 32;

/// Takes the lease on the kPortsPerLease ports from `first`, a multiple of kPortsPerLease. Empty if
/// another app has it. Errors as make_lease_holder().
OwnedFd lease_ports(const std::string& pool, std::uint32_t first);

/// Returns the lease on the port alone, for an app that needs this number. Empty if another app has
/// the lease. It does not exclude the lease on the port's block: see may_be_chosen(). Errors as
/// make_lease_holder().
OwnedFd lease_port(const std::string& pool, std::uint16_t port);

/// Lets other apps have the ports of a leased block that are not in `used`, if they need these
/// numbers (lease_port()). Returns the descriptor that shows the ports, empty if the whole block is
/// used. Errors as make_lease_holder().
OwnedFd show_unused_ports(const std::string& pool, std::uint32_t first,
                          const std::set<std::uint16_t>& used);

/// Returns whether another app may have chosen the port: that app has leased the port's block, and
/// does not show the port as unused. An app shows its unused ports a moment after it has leased the
/// block. Until then, and always on a kernel where lease_users() finds nothing, each port of the
/// block may have been chosen. Errors as make_lease_holder().
bool may_be_chosen(const std::string& pool, std::uint16_t port);

/// Returns the leases of `pool` whose names begin with `start`: the rest of the name, and the uid
/// of the holder. Empty if the kernel does not show them (Linux before 5.3, or without the module
/// unix_diag).
std::map<std::string, std::uint32_t> lease_users(const std::string& pool, const std::string& start);

}  // namespace slipway::local
