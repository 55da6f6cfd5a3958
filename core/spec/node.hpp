// The neutral tree that TOML and JSON documents become, so that everything that reads a document is
// written once and can say where in the text each value stands.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/spec/problem.hpp"

namespace slipway::spec {

/// Values nested deeper than this are refused by the readers; code that walks a tree may recurse.
inline constexpr int kMaxDepth = 64;

enum class NodeType {
  kNull,  ///< JSON only
  kBool,
  kInt,
  kBigInt,  ///< an integer beyond int64, JSON only; `text` has its digits
  kFloat,
  kString,
  kDateTime,  ///< TOML only; `text` is its RFC 3339 form
  kList,
  kTable,
};

struct NodeEntry;

/// One value of a document. Only the members that belong to `type` mean anything.
struct Node {
  NodeType type = NodeType::kNull;
  bool boolean = false;
  Mark at;  ///< where the value starts
  std::int64_t integer = 0;
  double real = 0;
  std::string text;                ///< kString: the value; kBigInt, kDateTime: as written
  std::vector<Node> items;         ///< kList
  std::vector<NodeEntry> entries;  ///< kTable: in the order of the text, keys are unique

  /// The value of `key` in a table, or nullptr.
  const Node* find(std::string_view key) const;
};

struct NodeEntry {
  std::string key;
  Mark key_at;
  Node value;
};

/// What a person calls the value in a message: `a string`, `a table`, `the integer 7`, `null`.
std::string describe(const Node& node);

/// The shortest text that reads back to the same float, in TOML and (if finite) in JSON: `1.5`,
/// `1.0`, `1e+300`, `inf`.
std::string float_text(double value);

/// Appends the value as compact JSON. Date-times become strings; floats keep their value exactly.
/// NaN and infinities, which JSON cannot hold, become null: readers refuse them before.
void append_json(const Node& node, std::string& out);

}  // namespace slipway::spec
