#include "core/cli/completion/bash_line.hpp"

#include <utility>

namespace slipway::cli {

namespace {

constexpr std::string_view kBlanks = " \t\n";
// readline counts these to the word that they break
constexpr std::string_view kPrefixes = "@$";
constexpr std::string_view kSpecial = " \t\"'\\$`&|;<>()[]{}*?!#";

bool among(std::string_view some, char c) { return some.find(c) != std::string_view::npos; }

}  // namespace

BashLine parse_bash_line(std::string_view line, std::string_view breaks) {
  BashLine out;
  bool written = false;  // something of the current word, even if only quotes
  const auto end_word = [&] {
    if (written) out.words.push_back(std::exchange(out.current, {}));
    written = false;
    out.kept = 0;
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (out.quote == '\0' && among(kBlanks, c)) {
      end_word();
      continue;
    }
    written = true;
    if (out.quote == '\0' && (c == '\'' || c == '"')) {
      out.quote = c;
      out.kept = out.current.size();
    } else if (c == out.quote) {
      out.quote = '\0';
    } else if (c == '\\' && out.quote != '\'') {
      if (++i < line.size()) out.current += line[i];
    } else {
      out.current += c;
      if (out.quote == '\0' && among(breaks, c))
        out.kept = out.current.size() - (among(kPrefixes, c) ? 1 : 0);
    }
  }
  if (!out.words.empty()) out.words.erase(out.words.begin());
  return out;
}

std::string bash_reply(const BashLine& line, std::string_view word) {
  std::string out;
  for (const char c : word.substr(line.kept)) {
    const bool special = line.quote == '"'    ? among("\"\\$`", c)
                         : line.quote == '\0' ? among(kSpecial, c)
                                              : false;
    if (special) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace slipway::cli
