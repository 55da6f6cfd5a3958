// Which machine this is, as records name it.
#pragma once

#include <cstdint>
#include <string>

namespace slipway::local {

/// What tells machines apart that share a home directory.
struct MachineIdentity {
  std::string boot_id;        ///< of the running kernel; empty: unknown
  std::uint64_t machine = 0;  ///< hash of /etc/machine-id; 0: the machine has none
  std::string host;           ///< its host name, which people know it by
};

/// Returns the kernel's boot id, 36 characters. Read once for the life of the process, as all
/// below. Throws kUnavailable when /proc does not show it.
const std::string& boot_id();

/// Returns the machine that this process runs on.
const MachineIdentity& this_machine();

/// Whether `machine` is this one: the kernel is the same, or both the machine-id and the host name
/// are. Machines made from one image may share the machine-id, and containers often have none; that
/// is why neither of the two is enough (core/docs/decisions/0027_records_name_their_machine.md).
bool is_this_machine(const MachineIdentity& machine);

/// Returns a number for the machine-id and the host name together, the same after a restart of the
/// machine.
std::uint64_t machine_tag(const MachineIdentity& machine);

/// machine_tag() of this machine.
std::uint64_t this_machine_tag();

}  // namespace slipway::local
