// `-j` of dist.spmd: how many hosts of a known kind, and how many processes on each.
#pragma once

#include <cstdint>
#include <string>

namespace slipway::builtins {

struct HostProcesses {
  std::int32_t nodes = 1;
  std::int32_t processes = 1;  ///< on each node
};

/// Reads `NODESxPROCESSES`, or `NODES` alone for a process per GPU of the host, as TorchX's `StructuredJArgument`.
/// `host` is the resource's name for messages, `gpus` how many it has. Throws Error(kInvalid) for anything else, and for
/// `NODES` alone where the host has no GPU.
HostProcesses parse_host_processes(const std::string& host, std::int32_t gpus,
                                   const std::string& text);

/// `2x8`
std::string to_string(const HostProcesses& processes);

}  // namespace slipway::builtins
