#include "core/spec/fields.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/spec/document.hpp"
#include "core/spec/near_name.hpp"
#include "core/spec/toml_text.hpp"
#include "sdk/support/python_numbers.hpp"

namespace slipway::spec {
namespace {

std::string quote_hint(const Node& node) {
  switch (node.type) {
    case NodeType::kBool:
      return std::string("write it as \"") + (node.boolean ? "true" : "false") + '"';
    case NodeType::kInt: return "write it as \"" + std::to_string(node.integer) + '"';
    case NodeType::kFloat: return "write it as \"" + float_text(node.real) + '"';
    case NodeType::kBigInt:
    case NodeType::kDateTime: return "write it as \"" + node.text + '"';
    default: return {};
  }
}

void place_all(Node& node, Mark at) {
  node.at = at;
  for (Node& item : node.items) place_all(item, at);
  for (NodeEntry& entry : node.entries) {
    entry.key_at = at;
    place_all(entry.value, at);
  }
}

}  // namespace

std::string KeyPath::text() const {
  if (parent_ == nullptr) return {};
  std::string path = parent_->text();
  // Even an empty key has data; an index has none.
  if (key_.data() == nullptr) return path + '[' + std::to_string(index_) + ']';
  if (!path.empty()) path.push_back('.');
  return path + (is_bare_key(key_) ? std::string(key_) : quoted(key_));
}

void FieldReader::error(Mark at, const KeyPath& path, std::string message, std::string hint,
                        std::string_view rule) {
  problems_.add({Severity::kError, Position{source_, at.line, at.column}, path.text(),
                 std::move(message), std::move(hint), Code::kInvalid, rule});
}

void FieldReader::warning(Mark at, const KeyPath& path, std::string message, std::string hint,
                          std::string_view rule) {
  problems_.add({Severity::kWarning, Position{source_, at.line, at.column}, path.text(),
                 std::move(message), std::move(hint), Code::kInvalid, rule});
}

void FieldReader::unknown_key(const NodeEntry& entry, const KeyPath& path,
                              const std::vector<std::string_view>& known, std::string hint) {
  if (hint.empty()) hint = did_you_mean(entry.key, known);
  error(entry.key_at, path, "unknown key", std::move(hint), rule::kUnknownKey);
}

void FieldReader::wrong_type(const Node& node, const KeyPath& path, std::string_view expected,
                             std::string hint) {
  error(node.at, path, "expected " + std::string(expected) + ", found " + describe(node),
        std::move(hint), rule::kWrongType);
}

bool FieldReader::table(const Node& node, const KeyPath& path) {
  if (node.type == NodeType::kTable) return true;
  wrong_type(node, path, "a table");
  return false;
}

bool FieldReader::list(const Node& node, const KeyPath& path, std::string_view of_what) {
  if (node.type == NodeType::kList) return true;
  wrong_type(node, path, "a list of " + std::string(of_what));
  return false;
}

bool FieldReader::string(Node& node, const KeyPath& path, std::string& out) {
  if (node.type != NodeType::kString) {
    wrong_type(node, path, "a string", quote_hint(node));
    return false;
  }
  out = std::move(node.text);
  return true;
}

bool FieldReader::boolean(const Node& node, const KeyPath& path, bool& out) {
  if (node.type != NodeType::kBool) {
    wrong_type(node, path, "true or false");
    return false;
  }
  out = node.boolean;
  return true;
}

bool FieldReader::int64(const Node& node, const KeyPath& path, std::int64_t& out) {
  if (node.type == NodeType::kBigInt) {
    error(node.at, path, describe(node) + " is out of range", {}, rule::kOutOfRange);
    return false;
  }
  if (node.type != NodeType::kInt) {
    wrong_type(node, path, "an integer");
    return false;
  }
  out = node.integer;
  return true;
}

bool FieldReader::int32(const Node& node, const KeyPath& path, std::int32_t& out) {
  std::int64_t wide = 0;
  if (!int64(node, path, wide)) return false;
  using Limits = std::numeric_limits<std::int32_t>;
  if (wide < Limits::min() || wide > Limits::max()) {
    const std::string bound = wide < Limits::min() ? "at least " + std::to_string(Limits::min())
                                                   : "at most " + std::to_string(Limits::max());
    error(node.at, path, describe(node) + " is out of range", bound, rule::kOutOfRange);
    return false;
  }
  out = static_cast<std::int32_t>(wide);
  return true;
}

bool FieldReader::string_dict(Node& node, const KeyPath& path, StrDict& out,
                              std::vector<Mark>& marks) {
  if (!table(node, path)) return false;
  out.reserve(node.entries.size());
  marks.reserve(node.entries.size());
  for (NodeEntry& entry : node.entries) {
    const Mark at = entry.key_at;
    std::string value;
    if (!string(entry.value, KeyPath(path, entry.key), value)) continue;
    out.emplace_back(std::move(entry.key), std::move(value));
    marks.push_back(at);
  }
  return true;
}

bool FieldReader::int_dict(Node& node, const KeyPath& path, IntDict& out,
                           std::vector<Mark>& marks) {
  if (!table(node, path)) return false;
  for (NodeEntry& entry : node.entries) {
    std::int64_t value = 0;
    if (!int64(entry.value, KeyPath(path, entry.key), value)) continue;
    out.emplace_back(std::move(entry.key), value);
    marks.push_back(entry.key_at);
  }
  return true;
}

bool FieldReader::string_list(Node& node, const KeyPath& path, StrList& out,
                              std::vector<Mark>& marks) {
  if (!list(node, path, "strings")) return false;
  out.reserve(node.items.size());
  marks.reserve(node.items.size());
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    std::string value;
    if (!string(node.items[i], KeyPath(path, i), value)) continue;
    out.push_back(std::move(value));
    marks.push_back(node.items[i].at);
  }
  return true;
}

bool FieldReader::field(FieldKind kind, Node& node, const KeyPath& path, std::string& out,
                        std::vector<Mark>&) {
  if (kind == FieldKind::kJsonObject) return json_object(node, path, out);
  if (kind == FieldKind::kOptional && node.type == NodeType::kNull) return true;
  return string(node, path, out);
}

bool FieldReader::field(FieldKind, const Node& node, const KeyPath& path, CpuCount& out,
                        std::vector<Mark>&) {
  if (node.type == NodeType::kInt || node.type == NodeType::kBigInt) {
    std::int32_t whole = 0;
    if (!int32(node, path, whole)) return false;
    out = whole;
    return true;
  }
  if (node.type != NodeType::kFloat) {
    wrong_type(node, path, "a number");
    return false;
  }
  const std::optional<CpuCount> cpus = CpuCount::of(node.real);
  if (!cpus) {
    error(node.at, path,
          "expected a number of CPUs with at most three decimals, found " + float_text(node.real),
          {}, rule::kOutOfRange);
    return false;
  }
  out = *cpus;
  return true;
}

bool FieldReader::field(FieldKind, Node& node, const KeyPath& path,
                        std::optional<std::int32_t>& out, std::vector<Mark>&) {
  if (node.type == NodeType::kNull) return true;
  std::int32_t value = 0;
  if (!int32(node, path, value)) return false;
  out = value;
  return true;
}

bool FieldReader::finite(const Node& node, const KeyPath& path) {
  bool ok = node.type != NodeType::kFloat || std::isfinite(node.real);
  if (!ok) error(node.at, path, "JSON cannot hold " + float_text(node.real));
  // Boost.JSON writes integers beyond 64 bits as floats, so they must fit into one.
  if (node.type == NodeType::kBigInt && std::isinf(real_from(node.text).value_or(0))) {
    error(node.at, path, describe(node) + " is out of range", {}, rule::kOutOfRange);
    ok = false;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i)
    ok = finite(node.items[i], KeyPath(path, i)) && ok;
  for (const NodeEntry& entry : node.entries)
    ok = finite(entry.value, KeyPath(path, entry.key)) && ok;
  return ok;
}

bool FieldReader::json_object(Node& node, const KeyPath& path, std::string& out) {
  if (node.type == NodeType::kString) {
    try {
      Node parsed = parse_json(node.text, source_);
      if (parsed.type != NodeType::kTable) {
        error(node.at, path, "expected a JSON object, found " + describe(parsed), {},
              rule::kWrongType);
        return false;
      }
      // The places in the string are none in the file.
      place_all(parsed, node.at);
      node = std::move(parsed);
    } catch (const InvalidApp& invalid) {
      const Problem& why = invalid.problems().front();
      error(node.at, path, "the string is not a JSON object: " + why.message, "write a table");
      return false;
    }
  }
  if (!table(node, path) || !finite(node, path)) return false;
  out.clear();
  if (!node.entries.empty()) append_json(node, out);
  return true;
}

}  // namespace slipway::spec
