#include "core/spec/node.hpp"

#include <cmath>
#include <cstddef>

#include "sdk/support/python_numbers.hpp"
#include "slipway/json_text.hpp"

namespace slipway::spec {
namespace {

// Returns the digits, shortened if they are too many for a message.
std::string shown_digits(const std::string& digits) {
  constexpr std::size_t kMostDigits = 40;
  return digits.size() <= kMostDigits ? digits : digits.substr(0, kMostDigits) + "…";
}

}  // namespace

const Node* Node::find(std::string_view key) const {
  for (const NodeEntry& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

std::string describe(const Node& node) {
  switch (node.type) {
    case NodeType::kNull: return "null";
    case NodeType::kBool: return node.boolean ? "the boolean true" : "the boolean false";
    case NodeType::kInt: return "the integer " + std::to_string(node.integer);
    case NodeType::kBigInt: return "the integer " + shown_digits(node.text);
    case NodeType::kFloat: return "the float " + float_text(node.real);
    case NodeType::kString: return "the string " + quoted(node.text);
    case NodeType::kDateTime: return "the date-time " + node.text;
    case NodeType::kList: return node.items.empty() ? "an empty list" : "a list";
    case NodeType::kTable: break;
  }
  return "a table";
}

void append_json(const Node& node, std::string& out) {
  switch (node.type) {
    case NodeType::kNull: out += "null"; return;
    case NodeType::kBool: out += node.boolean ? "true" : "false"; return;
    case NodeType::kInt: out += std::to_string(node.integer); return;
    case NodeType::kBigInt: out += node.text; return;
    case NodeType::kFloat: out += std::isfinite(node.real) ? float_text(node.real) : "null"; return;
    case NodeType::kString:
    case NodeType::kDateTime: out += json_quote(node.text); return;
    case NodeType::kList: {
      out.push_back('[');
      const char* separator = "";
      for (const Node& item : node.items) {
        out += separator;
        separator = ",";
        append_json(item, out);
      }
      out.push_back(']');
      return;
    }
    case NodeType::kTable: break;
  }
  out.push_back('{');
  const char* separator = "";
  for (const NodeEntry& entry : node.entries) {
    out += separator;
    separator = ",";
    out += json_quote(entry.key);
    out.push_back(':');
    append_json(entry.value, out);
  }
  out.push_back('}');
}

}  // namespace slipway::spec
