// Parses TOML into a Node tree.
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <sstream>
#include <utility>

#include "core/spec/document.hpp"
#include "core/spec/document_text.hpp"
#include "core/spec/text_cursor.hpp"
#include "core/spec/toml.hpp"

namespace slipway::spec {
namespace {

// The nesting of brackets in a TOML text. toml++ recurses and overflows the stack on hostile input,
// so the nesting is checked before the text is parsed.
struct Nesting {
  std::optional<Mark> too_deep;    // first bracket, brace or dot beyond kMaxDepth; ends the scan
  std::optional<Mark> mismatched;  // first `]` or `}` that does not match the open bracket
};

// Returns the offset after the string that opens at `at`. An unterminated string ends with its line
// or with the text.
std::size_t string_end(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool escapes = quote == '"';
  const bool multi_line = at + 2 < text.size() && text[at + 1] == quote && text[at + 2] == quote;
  std::size_t i = at + (multi_line ? 3 : 1);
  while (i < text.size()) {
    const char c = text[i];
    if (escapes && c == '\\') {
      i += 2;
    } else if (!multi_line && (c == quote || c == '\n')) {
      return i + 1;
    } else if (multi_line && c == quote &&
               text.substr(i, 3) == std::string_view(text.data() + at, 3)) {
      i += 3;
      // Up to two quotes before the closing three belong to the string.
      for (int extra = 0; extra < 2 && i < text.size() && text[i] == quote; ++extra) ++i;
      return i;
    } else {
      ++i;
    }
  }
  return text.size();
}

// Scans in one pass without allocation. The text need not be valid: up to the first error the scan
// sees what a parser sees, and a parser stops there.
Nesting scan_nesting(std::string_view toml) {
  Nesting found;
  std::array<char, kMaxDepth> open{};  // the expected closing brackets, innermost last
  std::size_t depth = 0;
  std::size_t dots = 0;  // in the current key
  std::size_t i = 0;
  while (i < toml.size()) {
    const char c = toml[i];
    switch (c) {
      case '"':
      case '\'': i = string_end(toml, i); continue;
      case '#': i = std::min(toml.find('\n', i), toml.size()); continue;
      case '[':
      case '{':
        if (depth == open.size()) {
          found.too_deep = TextCursor::mark_at(toml, i);
          return found;
        }
        open[depth++] = c == '[' ? ']' : '}';
        dots = 0;
        break;
      case ']':
      case '}':
        if ((depth == 0 || open[depth - 1] != c) && !found.mismatched) {
          found.mismatched = TextCursor::mark_at(toml, i);
        }
        if (depth > 0) --depth;
        dots = 0;
        break;
      case '=':
      case ',':
      case '\n': dots = 0; break;
      case '.':
        if (++dots >= static_cast<std::size_t>(kMaxDepth)) {
          found.too_deep = TextCursor::mark_at(toml, i);
          return found;
        }
        break;
      default: break;
    }
    ++i;
  }
  return found;
}

Mark mark_of(const toml::source_region& region) {
  return Mark{region.begin.line, region.begin.column};
}

template <class T>
std::string printed(const T& value) {
  std::ostringstream out;
  out << value;
  return std::move(out).str();
}

// Recurses; scan_nesting() has limited the nesting of brackets and dotted keys. `depth` limits what
// the scan does not count: the sum of the levels of headers, dotted keys and brackets.
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

  // toml++ sorts its tables by key; apps keep the order of the file.
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

// Returns toml++'s description, with help for the commonest mistakes: toml++ reports a string that
// is not closed on its line as a control character in a string, and a text without quotes as a
// value of no type or as a wrong boolean (`train`) or number (`nano`).
std::string explain(const toml::parse_error& error, std::string_view text) {
  const std::string description(error.description());
  const Mark at = mark_of(error.source());
  std::size_t line = 0;
  for (std::uint32_t i = 1; i < at.line; ++i) line = text.find('\n', line) + 1;
  const std::size_t end = std::min(text.find('\n', line), text.size());
  const bool at_line_end = TextCursor::mark_at(text.substr(line), end - line).column == at.column;
  if (at_line_end && description.find("control characters") != std::string::npos) {
    return "the string is not closed on its line";
  }
  for (const char* without_quotes : {"determine value type", "parsing boolean", "floating-point"}) {
    if (description.find(without_quotes) != std::string::npos)
      return description + "; a text needs quotes";
  }
  return description;
}

}  // namespace

Node parse_toml(std::string_view raw, const std::string& source) {
  const std::string_view text = checked_text(raw, source);
  const Nesting nesting = scan_nesting(text);
  if (nesting.too_deep) {
    refuse(source, *nesting.too_deep,
           "nested too deeply, at most " + std::to_string(kMaxDepth) + " levels");
  }
  try {
    toml::table parsed = toml::parse(text);
    Node root;
    TreeConverter(source).convert(parsed, root, 0);
    return root;
  } catch (const toml::parse_error& error) {
    refuse(source, mark_of(error.source()), "not valid TOML: " + explain(error, text));
  } catch (const TomlAssertion&) {
    // An assertion of toml++ names no place. A bracket that does not match may be the cause.
    refuse(source, nesting.mismatched.value_or(Mark{1, 1}),
           nesting.mismatched ? "not valid TOML: a closing bracket that does not match"
                              : "not valid TOML");
  }
}

}  // namespace slipway::spec
