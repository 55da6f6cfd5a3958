// Numbers that programs write: what std::from_chars reads, without '+', blanks or '_'. For numbers
// that people write in Python's notation, use python_numbers.hpp.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace slipway {

/// Removes the number at the start of `text` and returns it. Returns nullopt and leaves `text`
/// unchanged if it does not start with a number, or starts with one that `Number` cannot hold.
/// Ignores `base` for floating point.
template <class Number>
std::optional<Number> take_plain_number(std::string_view& text, int base = 10) {
  Number number{};
  const char* const end = text.data() + text.size();
  std::from_chars_result read{};
  if constexpr (std::is_integral_v<Number>) {
    read = std::from_chars(text.data(), end, number, base);
  } else {
    read = std::from_chars(text.data(), end, number);
  }
  if (read.ec != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  return number;
}

/// Returns the number that `text` consists of; nullopt for any other text.
template <class Number>
std::optional<Number> plain_number(std::string_view text, int base = 10) {
  const std::optional<Number> number = take_plain_number<Number>(text, base);
  return text.empty() ? number : std::nullopt;
}

}  // namespace slipway
