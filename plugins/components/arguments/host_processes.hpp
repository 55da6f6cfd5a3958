// Reads `-j` of dist.spmd: the number of nodes and of processes on each.
#pragma once

#include <cstdint>
#include <string>

namespace slipway::builtins {

struct HostProcesses {
  std::int32_t nodes = 1;
  std::int32_t processes = 1;  ///< on each node
};

/// Reads `NODESxPROCESSES`, or `NODES` alone for a process per GPU of a node. Accepts numbers of
/// any sign, like TorchX's `StructuredJArgument`: dist.spmd passes the result to parse_node_range()
/// (node_range.hpp), which refuses negative ones, and the host refuses an app with 0 nodes. `host`
/// is the value of `-h`, the named resource of a node, for messages; `gpus` is its number of GPUs.
/// Throws Error(kInvalid) for any other text, and for `NODES` alone if the resource has no GPU.
HostProcesses parse_host_processes(const std::string& host, std::int32_t gpus,
                                   const std::string& text);

/// Returns the form `2x8`.
std::string to_string(const HostProcesses& processes);

}  // namespace slipway::builtins
