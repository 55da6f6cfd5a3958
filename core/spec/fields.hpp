// Typed access to the values of a document. A value of the wrong type becomes a problem with its
// place, the expected type and the type found; reading continues.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/spec/node.hpp"
#include "core/spec/problem.hpp"
#include "slipway/app_fields.hpp"
#include "slipway/dict.hpp"

namespace slipway::spec {

/// The path of a value from the root of its document. It is a chain on the stack, so that only
/// problems pay for the text. The parent and the key must outlive the path.
class KeyPath {
 public:
  KeyPath() = default;
  KeyPath(const KeyPath& parent, std::string_view key) : parent_(&parent), key_(key) {}
  KeyPath(const KeyPath& parent, std::size_t index) : parent_(&parent), index_(index) {}

  /// Returns the path as text, such as `roles[1].env.HOME`. Quotes keys that TOML would quote.
  std::string text() const;

 private:
  const KeyPath* parent_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;
};

/// Reads values and collects problems. If a value has the wrong type or range, a reading function
/// adds a problem, leaves `out` unchanged and returns false. Moves strings out of the tree. Not
/// thread safe.
class FieldReader {
 public:
  /// `source` and `problems` must outlive the reader.
  FieldReader(const std::string& source, ProblemList& problems)
      : source_(source), problems_(problems) {}

  /// Returns whether an error about this value has been added.
  bool failed(const KeyPath& path) const { return problems_.has_error(path.text()); }

  /// Adds a problem; `rule` is one of rule_names.hpp.
  void error(Mark at, const KeyPath& path, std::string message, std::string hint = {},
             std::string_view rule = rule::kWrongValue);
  void warning(Mark at, const KeyPath& path, std::string message, std::string hint = {},
               std::string_view rule = rule::kWrongValue);
  /// Adds "unknown key" with `hint`, or with the nearest one of the `known` keys.
  void unknown_key(const NodeEntry& entry, const KeyPath& path,
                   const std::vector<std::string_view>& known, std::string hint = {});
  /// Adds "expected WHAT, found …" for a value of the wrong type.
  void wrong_type(const Node& node, const KeyPath& path, std::string_view expected,
                  std::string hint = {});

  /// Returns whether the value is a table or a list. `of_what` names the items for the problem.
  bool table(const Node& node, const KeyPath& path);
  bool list(const Node& node, const KeyPath& path, std::string_view of_what);
  /// Reads a value of one type.
  bool string(Node& node, const KeyPath& path, std::string& out);
  bool boolean(const Node& node, const KeyPath& path, bool& out);
  bool int32(const Node& node, const KeyPath& path, std::int32_t& out);
  bool int64(const Node& node, const KeyPath& path, std::int64_t& out);

  /// Reads a table or list of strings or integers. `marks` receives the place of each entry in
  /// `out`. Skips wrong entries, and returns false only if the value itself has the wrong type.
  bool string_dict(Node& node, const KeyPath& path, StrDict& out, std::vector<Mark>& marks);
  bool int_dict(Node& node, const KeyPath& path, IntDict& out, std::vector<Mark>& marks);
  bool string_list(Node& node, const KeyPath& path, StrList& out, std::vector<Mark>& marks);

  /// Reads a value of the type of `out`; null leaves an optional value absent. `marks` receives the
  /// places of the items of lists and tables.
  bool field(FieldKind kind, Node& node, const KeyPath& path, std::string& out,
             std::vector<Mark>& marks);
  bool field(FieldKind, Node& node, const KeyPath& path, std::int32_t& out, std::vector<Mark>&) {
    return int32(node, path, out);
  }
  bool field(FieldKind, const Node& node, const KeyPath& path, CpuCount& out, std::vector<Mark>&);
  bool field(FieldKind, Node& node, const KeyPath& path, std::int64_t& out, std::vector<Mark>&) {
    return int64(node, path, out);
  }
  bool field(FieldKind, Node& node, const KeyPath& path, bool& out, std::vector<Mark>&) {
    return boolean(node, path, out);
  }
  bool field(FieldKind, Node& node, const KeyPath& path, std::optional<std::int32_t>& out,
             std::vector<Mark>&);
  bool field(FieldKind, Node& node, const KeyPath& path, StrList& out, std::vector<Mark>& marks) {
    return string_list(node, path, out, marks);
  }
  bool field(FieldKind, Node& node, const KeyPath& path, StrDict& out, std::vector<Mark>& marks) {
    return string_dict(node, path, out, marks);
  }
  bool field(FieldKind, Node& node, const KeyPath& path, IntDict& out, std::vector<Mark>& marks) {
    return int_dict(node, path, out, marks);
  }

  /// Returns whether JSON can hold every number in the value; adds a problem for each that it
  /// cannot hold.
  bool finite(const Node& node, const KeyPath& path);

  /// Reads any table as the text of a JSON object; an empty table gives an empty text. Also accepts
  /// a string that contains a JSON object, because TOML has no null.
  bool json_object(Node& node, const KeyPath& path, std::string& out);

 private:
  const std::string& source_;
  ProblemList& problems_;
};

}  // namespace slipway::spec
