// The identity of a machine, as records name it.
#pragma once

#include <cstdint>
#include <string>

namespace slipway::local {

/// Distinguishes machines that share a home directory.
struct MachineIdentity {
  std::string boot_id;        ///< of the running kernel; empty: unknown
  std::uint64_t machine = 0;  ///< hash of /etc/machine-id; 0: the machine has none
  std::string host;           ///< host name; empty: unknown
};

// A process finds out about its machine once. All functions are thread safe.

/// Returns the kernel's boot id, 36 characters. Throws kUnavailable if /proc does not show it.
const std::string& boot_id();

/// Returns the machine of this process.
const MachineIdentity& this_machine();

/// Returns whether `machine` is this machine: the boot id is the same, or both the machine-id (a
/// missing one equals a missing one) and the host name are. The machine-id alone is not enough:
/// machines made from one disk image may share it, and containers often have none
/// (core/docs/decisions/0027_records_name_their_machine.md).
bool is_this_machine(const MachineIdentity& machine);

/// Returns a hash of the machine-id and the host name. It stays the same when the machine restarts.
std::uint64_t machine_tag(const MachineIdentity& machine);

/// Returns the machine_tag() of this machine.
std::uint64_t this_machine_tag();

}  // namespace slipway::local
