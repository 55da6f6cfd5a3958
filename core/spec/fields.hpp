// Typed access to the values of a document. A value of the wrong type becomes a problem that says
// where it is, what was expected and what was found; the reading goes on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/spec/node.hpp"
#include "core/spec/problem.hpp"
#include "slipway/dict.hpp"

namespace slipway::spec {

/// The path of a value from the root of its document, kept as a chain on the stack: the text is
/// made for problems only.
class KeyPath {
 public:
  KeyPath() = default;
  KeyPath(const KeyPath& parent, std::string_view key) : parent_(&parent), key_(key) {}
  KeyPath(const KeyPath& parent, std::size_t index) : parent_(&parent), index_(index) {}

  /// `roles[1].env.HOME`; keys that are not plain words are quoted.
  std::string text() const;

 private:
  const KeyPath* parent_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;
};

/// Reads values and collects what is wrong with them. The functions that read return false, leave
/// `out` alone and add a problem when the value has the wrong type or range. Strings are moved out
/// of the tree. Not thread safe.
class FieldReader {
 public:
  /// Both must outlive the reader.
  FieldReader(const std::string& source, ProblemList& problems)
      : source_(source), problems_(problems) {}

  /// Whether an error about this value is known already.
  bool failed(const KeyPath& path) const { return problems_.has_error(path.text()); }

  /// `rule` is one of rule_names.hpp.
  void error(Mark at, const KeyPath& path, std::string message, std::string hint = {},
             std::string_view rule = rule::kWrongValue);
  void warning(Mark at, const KeyPath& path, std::string message, std::string hint = {},
               std::string_view rule = rule::kWrongValue);
  void unknown_key(const NodeEntry& entry, const KeyPath& path,
                   const std::vector<std::string_view>& known);
  /// "expected WHAT, found …", for a value of the wrong type.
  void wrong_type(const Node& node, const KeyPath& path, std::string_view expected,
                  std::string hint = {});

  bool table(const Node& node, const KeyPath& path);
  bool list(const Node& node, const KeyPath& path, std::string_view of_what);
  bool string(Node& node, const KeyPath& path, std::string& out);
  bool boolean(const Node& node, const KeyPath& path, bool& out);
  bool int32(const Node& node, const KeyPath& path, std::int32_t& out);
  bool int64(const Node& node, const KeyPath& path, std::int64_t& out);

  /// Tables of strings and of integers. `marks` receives where each value that was read stands.
  void string_dict(Node& node, const KeyPath& path, StrDict& out, std::vector<Mark>& marks);
  void int_dict(Node& node, const KeyPath& path, IntDict& out, std::vector<Mark>& marks);
  void string_list(Node& node, const KeyPath& path, StrList& out, std::vector<Mark>& marks);

  /// Any table as the text of a JSON object, empty for an empty table. A string that holds a JSON
  /// object will do, too: TOML has no null.
  bool json_object(Node& node, const KeyPath& path, std::string& out);

 private:
  void finite(const Node& node, const KeyPath& path, bool& ok);

  const std::string& source_;
  ProblemList& problems_;
};

}  // namespace slipway::spec
