#include "core/cli/completion/bash_line.hpp"

#include <utility>

namespace slipway::cli {

namespace {

constexpr std::string_view kBlanks = " \t\n";
// Characters of COMP_WORDBREAKS that belong to the word after them.
constexpr std::string_view kPrefixes = "@$";
// Characters that need a backslash outside quotes.
constexpr std::string_view kSpecial = " \t\"'\\$`&|;<>()[]{}*?!#";

bool contains(std::string_view characters, char c) {
  return characters.find(c) != std::string_view::npos;
}

}  // namespace

BashLine parse_bash_line(std::string_view line, std::string_view breaks) {
  BashLine out;
  bool started = false;  // whether the current word has begun, even if only with quotes
  const auto end_word = [&] {
    if (started) out.words.push_back(std::exchange(out.current, {}));
    started = false;
    out.kept = 0;
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (out.quote == '\0' && contains(kBlanks, c)) {
      end_word();
      continue;
    }
    started = true;
    if (out.quote == '\0' && (c == '\'' || c == '"')) {
      out.quote = c;
      out.kept = out.current.size();  // readline replaces what follows the opening quote
    } else if (c == out.quote) {
      out.quote = '\0';
    } else if (c == '\\' && out.quote != '\'') {
      if (++i < line.size()) out.current += line[i];
    } else {
      out.current += c;
      if (out.quote == '\0' && contains(breaks, c))
        out.kept = out.current.size() - (contains(kPrefixes, c) ? 1 : 0);
    }
  }
  if (!out.words.empty()) out.words.erase(out.words.begin());
  return out;
}

std::string bash_reply(const BashLine& line, std::string_view word) {
  std::string out;
  for (const char c : word.substr(line.kept)) {
    if (line.quote == '\'' && c == '\'') {
      out += "'\\''";  // ends the quote, adds the character, and begins another quote
      continue;
    }
    const bool special = line.quote == '"'    ? contains("\"\\$`", c)
                         : line.quote == '\0' ? contains(kSpecial, c)
                                              : false;
    if (special) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace slipway::cli
