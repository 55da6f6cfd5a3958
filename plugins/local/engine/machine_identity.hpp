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

/// The machine that this process runs on. Read once for the life of the process.
const MachineIdentity& this_machine();

/// Whether the two are one machine: the kernel is the same, or both the machine-id and the host name
/// are. Machines made from one image may share the machine-id, and containers often have none; that
/// is why neither of the two is enough (core/docs/decisions/0023_records_name_their_machine.md).
bool same_machine(const MachineIdentity& a, const MachineIdentity& b);

/// A number for the machine-id and the host name together, the same after a restart of the machine.
std::uint64_t machine_tag(const MachineIdentity& machine);

}  // namespace slipway::local
