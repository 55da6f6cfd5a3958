#include "core/spec/toml_nesting.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/spec/node.hpp"
#include "core/spec/text_cursor.hpp"

namespace slipway::spec {
namespace {

// One past the string that opens at `at`; an unterminated one ends with its line, or with the text.
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
      for (int extra = 0; extra < 2 && i < text.size() && text[i] == quote; ++extra) ++i;
      return i;
    } else {
      ++i;
    }
  }
  return text.size();
}

}  // namespace

TomlNesting scan_toml_nesting(std::string_view toml) {
  TomlNesting found;
  std::array<char, kMaxDepth> open{};  // the brackets that are open
  std::size_t depth = 0;
  std::size_t dots = 0;  // in the key that is being read
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

}  // namespace slipway::spec
