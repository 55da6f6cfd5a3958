// TOML to a Node tree.
#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include "core/spec/document.hpp"
#include "core/spec/document_text.hpp"
#include "core/spec/text_cursor.hpp"
#include "core/spec/toml.hpp"
#include "core/spec/toml_nesting.hpp"

namespace slipway::spec {
namespace {

Mark mark_of(const toml::source_region& region) {
  return Mark{region.begin.line, region.begin.column};
}

template <class T>
std::string printed(const T& value) {
  std::ostringstream out;
  out << value;
  return std::move(out).str();
}

// Recursion is bounded: scan_toml_nesting() came before. `depth` bounds what it cannot see, levels
// made of headers, dotted keys and brackets together.
class TreeConverter {
 public:
  explicit TreeConverter(const std::string& source) : source_(source) {}

  void convert(toml::node& from, Node& to, int depth) {
    to.at = mark_of(from.source());
    if (depth > kMaxDepth) {
      refuse(source_, to.at, "nested too deeply, at most " + std::to_string(kMaxDepth) + " levels");
    }
    switch (from.type()) {
      case toml::node_type::table: return table(*from.as_table(), to, depth);
      case toml::node_type::array: return list(*from.as_array(), to, depth);
      case toml::node_type::string:
        to.type = NodeType::kString;
        to.text = std::move(from.as_string()->get());
        return;
      case toml::node_type::integer:
        to.type = NodeType::kInt;
        to.integer = from.as_integer()->get();
        return;
      case toml::node_type::floating_point:
        to.type = NodeType::kFloat;
        to.real = from.as_floating_point()->get();
        return;
      case toml::node_type::boolean:
        to.type = NodeType::kBool;
        to.boolean = from.as_boolean()->get();
        return;
      case toml::node_type::date: return date_time(printed(from.as_date()->get()), to);
      case toml::node_type::time: return date_time(printed(from.as_time()->get()), to);
      case toml::node_type::date_time: return date_time(printed(from.as_date_time()->get()), to);
      case toml::node_type::none: break;
    }
    to.type = NodeType::kNull;
  }

 private:
  static void date_time(std::string text, Node& to) {
    to.type = NodeType::kDateTime;
    to.text = std::move(text);
  }

  void list(toml::array& from, Node& to, int depth) {
    to.type = NodeType::kList;
    to.items.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) convert(from[i], to.items[i], depth + 1);
  }

  // toml++ sorts its tables; apps keep the order of the file.
  void table(toml::table& from, Node& to, int depth) {
    to.type = NodeType::kTable;
    struct Entry {
      const toml::key* key;
      toml::node* value;
    };
    std::vector<Entry> sorted;
    sorted.reserve(from.size());
    for (auto&& [key, value] : from) sorted.push_back({&key, &value});
    std::stable_sort(sorted.begin(), sorted.end(), [](const Entry& a, const Entry& b) {
      return a.key->source().begin < b.key->source().begin;
    });
    to.entries.resize(sorted.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      to.entries[i].key = std::string(sorted[i].key->str());
      to.entries[i].key_at = mark_of(sorted[i].key->source());
      convert(*sorted[i].value, to.entries[i].value, depth + 1);
    }
  }

  const std::string& source_;
};

// toml++'s words, except for the commonest mistake, which it calls a control character in a string.
std::string explain(const toml::parse_error& error, std::string_view text) {
  const std::string description(error.description());
  const Mark at = mark_of(error.source());
  std::size_t line = 0;
  for (std::uint32_t i = 1; i < at.line; ++i) line = text.find('\n', line) + 1;
  const std::size_t end = std::min(text.find('\n', line), text.size());
  const bool at_line_end = TextCursor::mark_at(text.substr(line), end - line).column == at.column;
  if (at_line_end && description.find("control characters") != std::string::npos) {
    return "the string does not end in its line";
  }
  return description;
}

}  // namespace

Node parse_toml(std::string_view raw, const std::string& source) {
  const std::string_view text = checked_text(raw, source);
  const TomlNesting nesting = scan_toml_nesting(text);
  if (nesting.too_deep) {
    refuse(source, *nesting.too_deep,
           "nested too deeply, at most " + std::to_string(kMaxDepth) + " levels");
  }
  try {
    toml::table parsed = toml::parse(text);
    Node root;
    TreeConverter(source).convert(parsed, root, 0);
    root.at = Mark{1, 1};
    return root;
  } catch (const toml::parse_error& error) {
    refuse(source, mark_of(error.source()), "not valid TOML: " + explain(error, text));
  } catch (const TomlAssertion&) {
    refuse(source, nesting.mismatched.value_or(Mark{1, 1}),
           nesting.mismatched ? "not valid TOML: a closing bracket that does not match"
                              : "not valid TOML");
  }
}

}  // namespace slipway::spec
