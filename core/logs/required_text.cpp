#include "core/logs/required_text.hpp"

#include <utility>

namespace slipway::logs {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Ranks a character by how often its kind occurs in logs.
int frequency(char c) {
  constexpr std::string_view kVowels = "aeiou";
  constexpr std::string_view kFrequentConsonants = "tnsrl";
  if (c == ' ') return 5;
  if (is_digit(c)) return 4;
  if (kVowels.find(c) != std::string_view::npos) return 3;
  if (kFrequentConsonants.find(c) != std::string_view::npos) return 2;
  return c >= 'a' && c <= 'z' ? 1 : 0;
}

}  // namespace

std::string required_text(std::string_view pattern) {
  // `|` gives another beginning, even far behind, and a comment `(?#…)` may stand between the last
  // character and its quantifier. Other groups with `(?`, and verbs `(*`, are rare, and are refused
  // without a closer look.
  const bool is_too_complex = pattern.find('|') != std::string_view::npos ||
                              pattern.find("(?") != std::string_view::npos ||
                              pattern.find("(*") != std::string_view::npos;
  if (is_too_complex) return {};
  std::size_t length = 0;
  while (length < pattern.size() &&
         (is_letter(pattern[length]) || is_digit(pattern[length]) || pattern[length] == ' ')) {
    ++length;
  }
  // The character before a quantifier may be absent from a match. PCRE2 ignores `\E` and `\Q\E`
  // between the two.
  const std::string_view rest = pattern.substr(length);
  const bool may_be_quantified = rest.starts_with('*') || rest.starts_with('?') ||
                                 rest.starts_with('{') || rest.starts_with("\\E") ||
                                 rest.starts_with("\\Q");
  if (may_be_quantified && length > 0) --length;
  return std::string(pattern.substr(0, length));
}

TextSearch::TextSearch(std::string text) : text_(std::move(text)) {
  for (std::size_t i = 1; i < text_.size(); ++i) {
    if (frequency(text_[i]) < frequency(text_[rare_])) rare_ = i;
  }
}

std::size_t TextSearch::find(std::string_view bytes) const {
  // string_view::find() searches for the first character, even if it is frequent.
  for (std::size_t from = rare_;; ++from) {
    from = from < bytes.size() ? bytes.find(text_[rare_], from) : std::string_view::npos;
    if (from == std::string_view::npos) return std::string_view::npos;
    if (bytes.compare(from - rare_, text_.size(), text_) == 0) return from - rare_;
  }
}

}  // namespace slipway::logs
