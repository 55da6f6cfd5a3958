#include "core/components/word_split.hpp"

#include <optional>
#include <string>
#include <utility>

#include "core/spec/problem.hpp"
#include "slipway/error.hpp"

namespace slipway::components {
namespace {

constexpr std::string_view kBlanks = " \t\n\r\v\f";
constexpr std::string_view kQuotes = "\"'";

// Where the double-quoted part that starts at `from` ends, its closing quote; npos when it does not end.
std::size_t closing_quote(std::string_view text, std::size_t from) {
  for (std::size_t i = from + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == text[from]) {
      return i;
    }
  }
  return std::string_view::npos;
}

}  // namespace

StrList words_of_text(std::string_view text) {
  StrList out;
  std::optional<std::string> word;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (kBlanks.find(c) != std::string_view::npos) {
      if (word) out.push_back(*std::exchange(word, std::nullopt));
      continue;
    }
    if (!word) word.emplace();
    if (c == '\\' && i + 1 < text.size()) {
      word->push_back(text[++i]);
    } else if (kQuotes.find(c) == std::string_view::npos) {
      word->push_back(c);
    } else {
      // as in a shell, a backslash escapes inside double quotes only
      const std::size_t end = c == '"' ? closing_quote(text, i) : text.find(c, i + 1);
      if (end == std::string_view::npos)
        throw Error(Code::kInvalid, "a quote does not end in " + spec::quoted(text));
      for (++i; i < end; ++i) {
        if (c == '"' && text[i] == '\\') ++i;
        word->push_back(text[i]);
      }
    }
  }
  if (word) out.push_back(std::move(*word));
  return out;
}

}  // namespace slipway::components
