#include "plugins/components/arguments/whole_number.hpp"

#include <charconv>

namespace slipway::builtins {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<std::int32_t> parse_all(std::string_view text) {
  std::int32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || at != end) return std::nullopt;
  return number;
}

}  // namespace

std::optional<std::int32_t> parse_count(std::string_view text) {
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  return parse_all(text);
}

std::optional<std::int32_t> parse_signed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\r\f\v";
  const std::size_t from = text.find_first_not_of(kBlanks);
  if (from == std::string_view::npos) return std::nullopt;
  text = text.substr(from, text.find_last_not_of(kBlanks) - from + 1);
  // from_chars accepts a minus but no plus.
  if (text.front() == '+') return parse_count(text.substr(1));
  return parse_all(text);
}

}  // namespace slipway::builtins
