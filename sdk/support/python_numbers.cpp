#include "sdk/support/python_numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <system_error>

#include "slipway/lines.hpp"

namespace slipway {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Returns the text in the form that from_chars reads: without blanks around it, without '+' and
// without '_' between digits. Returns an empty text if a sign or a '_' is misplaced.
std::string normalized(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return {};
  if (text.front() == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '-') return {};
  }
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      out.push_back(text[i]);
    } else if (i == 0 || i + 1 == text.size() || !is_digit(text[i - 1]) || !is_digit(text[i + 1])) {
      return {};
    }
  }
  return out;
}

// Returns infinity or zero for a decimal number beyond the range of double. from_chars does not
// distinguish too large from too small; the decimal exponent of the first nonzero digit does.
double out_of_range_value(std::string_view digits) {
  const bool negative = digits.front() == '-';
  const std::size_t mantissa_end = std::min(digits.find_first_of("eE"), digits.size());
  const std::string_view mantissa = digits.substr(0, mantissa_end);
  const std::size_t first = mantissa.find_first_of("123456789");
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  // No mantissa that fits in memory can balance an exponent of 19 or more digits.
  long long exponent = 0;
  if (mantissa_end < digits.size()) {
    std::string_view text = digits.substr(mantissa_end + 1);
    if (text.front() == '+') text.remove_prefix(1);
    const auto error = std::from_chars(text.data(), text.data() + text.size(), exponent).ec;
    if (error != std::errc()) {
      // Half of the limits leaves room for the sum below.
      exponent = text.front() == '-' ? std::numeric_limits<long long>::min() / 2
                                     : std::numeric_limits<long long>::max() / 2;
    }
  }
  exponent += static_cast<long long>(point) - static_cast<long long>(first);
  const double size = exponent > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  return negative ? -size : size;
}

}  // namespace

std::optional<std::int64_t> integer_from(std::string_view text) {
  const std::string digits = normalized(text);
  std::int64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (digits.empty() || error != std::errc() || stop != end) return std::nullopt;
  return number;
}

std::optional<double> real_from(std::string_view text) {
  const std::string digits = normalized(text);
  double number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  // from_chars accepts C's nan(x); Python does not.
  if (digits.empty() || stop != end || digits.back() == ')') return std::nullopt;
  if (error == std::errc::result_out_of_range) return out_of_range_value(digits);
  if (error != std::errc()) return std::nullopt;
  return number;
}

std::string float_text(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  const double size = std::fabs(number);
  const bool fixed = number == 0 || (size >= 1e-4 && size < 1e16);
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, number,
                                 fixed ? std::chars_format::fixed : std::chars_format::scientific);
  std::string out(text, end.ptr);
  if (fixed && out.find('.') == std::string::npos) out += ".0";
  return out;
}

}  // namespace slipway
