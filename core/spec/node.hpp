// The tree that TOML and JSON documents are parsed into. It hides the format from the readers and
// keeps the place of each value in the text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/spec/problem.hpp"

namespace slipway::spec {

/// The deepest nesting that the parsers accept, so that code which walks a tree may recurse.
inline constexpr int kMaxDepth = 64;

enum class NodeType {
  kNull,  ///< JSON only
  kBool,
  kInt,
  kBigInt,  ///< an integer beyond int64, JSON only; `text` holds its digits
  kFloat,
  kString,
  kDateTime,  ///< TOML only; `text` is its RFC 3339 form
  kList,
  kTable,
};

struct NodeEntry;

/// One value of a document. Only the members that belong to `type` are meaningful.
struct Node {
  NodeType type = NodeType::kNull;
  bool boolean = false;
  Mark at;  ///< where the value starts
  std::int64_t integer = 0;
  double real = 0;
  std::string text;                ///< kString: the value; kBigInt, kDateTime: see NodeType
  std::vector<Node> items;         ///< kList
  std::vector<NodeEntry> entries;  ///< kTable: in the order of the text, with unique keys

  /// Returns the value of `key` in a table, or nullptr.
  const Node* find(std::string_view key) const;
};

struct NodeEntry {
  std::string key;
  Mark key_at;
  Node value;
};

/// Returns the value's name in messages: `a table`, `the integer 7`, `the string 'x'`, `null`.
std::string describe(const Node& node);

/// Appends the value as compact JSON. Date-times become strings; floats keep their exact value. NaN
/// and infinities become null, because JSON cannot hold them; the readers refuse them earlier.
void append_json(const Node& node, std::string& out);

}  // namespace slipway::spec
