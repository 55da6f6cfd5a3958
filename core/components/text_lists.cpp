#include "core/components/text_lists.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/spec/problem.hpp"
#include "slipway/error.hpp"

namespace slipway::components {
namespace {

constexpr std::string_view kBlanks = " \t\n\r\v\f";
constexpr std::string_view kQuotes = "\"'";
constexpr std::string_view kSeparators = ",;";

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(kBlanks);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kBlanks) - from + 1);
}

// Where the quoted part that starts at `from` ends, its closing quote; npos when it does not end.
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

// `text` with every quoted part blacked out, so that it can be searched for '=' and separators.
std::string without_quoted(std::string_view text) {
  std::string out(text);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (kQuotes.find(text[i]) == std::string_view::npos) continue;
    const std::size_t end = closing_quote(text, i);
    if (end == std::string_view::npos) continue;
    out.replace(i, end - i + 1, end - i + 1, 'q');
    i = end;
  }
  return out;
}

std::string unquoted(std::string_view value) {
  const bool quotes = value.size() > 1 && value.front() == value.back() &&
                      kQuotes.find(value.front()) != std::string_view::npos;
  return std::string(quotes ? value.substr(1, value.size() - 2) : value);
}

// A part of the text and the same part of the text without what is quoted, both without blanks.
struct Piece {
  std::string_view text;
  std::string_view searchable;
};

Piece piece(std::string_view text, std::string_view searchable, std::size_t from, std::size_t to) {
  searchable = searchable.substr(from, to - from);
  text = text.substr(from, to - from);
  const std::size_t first = searchable.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  const std::size_t length = searchable.find_last_not_of(kBlanks) - first + 1;
  return {text.substr(first, length), searchable.substr(first, length)};
}

std::vector<Piece> pieces_at_equals(std::string_view text, std::string_view searchable) {
  std::vector<Piece> out;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(searchable.find('=', from), text.size());
    if (const Piece one = piece(text, searchable, from, to); !one.text.empty()) out.push_back(one);
    from = to + 1;
  }
  return out;
}

}  // namespace

StrList list_of_text(std::string_view text) {
  StrList out;
  if (trimmed(text).empty()) return out;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(',', from), text.size());
    out.emplace_back(trimmed(text.substr(from, to - from)));
    from = to + 1;
  }
  return out;
}

StrDict dict_of_text(std::string_view text) {
  StrDict out;
  if (text.empty()) return out;
  const std::string searchable = without_quoted(text);
  const std::vector<Piece> pieces = pieces_at_equals(text, searchable);
  if (pieces.size() < 2) {
    throw Error(Code::kInvalid, "expected KEY=VALUE pairs, found " + spec::quoted(text),
                "separate several pairs with a comma: A=1,B=2");
  }
  std::string key = unquoted(pieces.front().text);
  for (std::size_t i = 1; i + 1 < pieces.size(); ++i) {
    // VALUE,NEXT_KEY
    const auto [both, where] = pieces[i];
    const std::size_t cut = where.find_last_of(kSeparators);
    if (cut == std::string_view::npos || cut == 0) {
      throw Error(Code::kInvalid, "expected VALUE,KEY between two '=', found " + spec::quoted(both),
                  "put a value that holds '=' in quotes: A=\"x=y\"");
    }
    set(out, key, unquoted(trimmed(both.substr(0, cut))));
    key = unquoted(trimmed(both.substr(cut + 1)));
  }
  set(out, key, unquoted(pieces.back().text));
  return out;
}

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
