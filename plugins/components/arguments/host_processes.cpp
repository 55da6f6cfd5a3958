#include "plugins/components/arguments/host_processes.hpp"

#include <limits>
#include <optional>

#include "sdk/support/python_numbers.hpp"
#include "slipway/error.hpp"
#include "slipway/json_text.hpp"

namespace slipway::builtins {

namespace {

std::optional<std::int32_t> count_from(std::string_view text) {
  const std::optional<std::int64_t> number = integer_from(text);
  using Limits = std::numeric_limits<std::int32_t>;
  if (!number || *number < Limits::min() || *number > Limits::max()) return std::nullopt;
  return static_cast<std::int32_t>(*number);
}

}  // namespace

HostProcesses parse_host_processes(const std::string& host, std::int32_t gpus,
                                   const std::string& text) {
  const std::size_t separator = text.find('x');
  const bool has_nodes_only = separator == std::string::npos;
  const auto nodes = count_from(text.substr(0, separator));
  const auto processes = has_nodes_only ? nodes : count_from(text.substr(separator + 1));
  if (!nodes || !processes) {
    throw Error(Code::kInvalid,
                "-j " + json_quote(text) + " is not a number of nodes and processes",
                "write NODESxPROCESSES, as in 2x8, or NODES for a process per GPU");
  }
  if (!has_nodes_only) return {*nodes, *processes};
  if (gpus <= 0) {
    throw Error(Code::kInvalid,
                "-j " + text + " means a process per GPU, and '" + host + "' has no GPU",
                "give the number of processes, as in -j " + std::to_string(*nodes) + "x8");
  }
  return {*nodes, gpus};
}

std::string to_string(const HostProcesses& processes) {
  return std::to_string(processes.nodes) + "x" + std::to_string(processes.processes);
}

}  // namespace slipway::builtins
