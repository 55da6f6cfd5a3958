#include "plugins/components/arguments/whole_number.hpp"

#include <charconv>

#include "slipway/lines.hpp"

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
  text = trimmed(text);
  if (text.empty()) return std::nullopt;
  // from_chars accepts a minus but no plus.
  if (text.front() == '+') return parse_count(text.substr(1));
  return parse_all(text);
}

}  // namespace slipway::builtins
