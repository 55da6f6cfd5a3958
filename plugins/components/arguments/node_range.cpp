#include "plugins/components/arguments/node_range.hpp"

#include <optional>

#include "sdk/support/plain_number.hpp"
#include "slipway/error.hpp"
#include "slipway/json_text.hpp"

namespace slipway::builtins {

namespace {

// Reads digits only: no sign, no blanks.
std::optional<std::int32_t> parse_count(std::string_view text) {
  if (!text.empty() && text.front() == '-') return std::nullopt;
  return plain_number<std::int32_t>(text);
}

std::optional<NodeRange> read(const std::string& text) {
  NodeRange out;
  const std::size_t separator = text.find('x');
  const std::string processes = separator == std::string::npos ? text : text.substr(separator + 1);
  out.nodes_text = separator == std::string::npos ? "1" : text.substr(0, separator);
  const std::size_t colon = out.nodes_text.find(':');
  const auto most =
      parse_count(colon == std::string::npos ? out.nodes_text : out.nodes_text.substr(colon + 1));
  const auto least =
      colon == std::string::npos ? most : parse_count(out.nodes_text.substr(0, colon));
  const auto each = parse_count(processes);
  if (!least || !most || !each) return std::nullopt;
  out.min_nodes = *least;
  out.max_nodes = *most;
  out.processes = *each;
  return out;
}

}  // namespace

NodeRange parse_node_range(const std::string& text) {
  if (auto range = read(text)) return *std::move(range);
  throw Error(Code::kInvalid, "-j " + json_quote(text) + " is not a number of nodes and processes",
              "write [MIN:]NODESxPROCESSES, as in 1x4, 2:4x8, or 4 for one node");
}

}  // namespace slipway::builtins
