// Reads `-j` of dist.ddp: the number of nodes and of processes on each.
#pragma once

#include <cstdint>
#include <string>

namespace slipway::builtins {

struct NodeRange {
  std::int32_t min_nodes = 1;
  std::int32_t max_nodes = 1;
  std::int32_t processes = 1;  ///< on each node
  std::string nodes_text;      ///< value of torchrun's --nnodes: "2" or "2:4"
};

/// Reads `[MIN:]NODESxPROCESSES`, or `PROCESSES` alone for one node. The numbers consist of digits
/// and may be 0, as in TorchX's `parse_nnodes`. Throws Error(kInvalid) for any other text.
NodeRange parse_node_range(const std::string& text);

}  // namespace slipway::builtins
