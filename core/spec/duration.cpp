#include "core/spec/duration.hpp"

#include <charconv>
#include <limits>
#include <system_error>

namespace slipway::spec {

std::optional<double> take_number(std::string_view& text) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  double out = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), out, std::chars_format::fixed);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return out;
}

std::optional<double> duration_seconds(std::string_view text) {
  if (text.empty()) return std::nullopt;
  double seconds = 0;
  double last_unit = std::numeric_limits<double>::infinity();
  while (!text.empty()) {
    const std::optional<double> number = take_number(text);
    if (!number || text.empty()) return std::nullopt;
    double unit = 0;
    switch (text.front()) {
      case 'w': unit = kWeekSeconds; break;
      case 'd': unit = kDaySeconds; break;
      case 'h': unit = kHourSeconds; break;
      case 'm': unit = kMinuteSeconds; break;
      case 's': unit = 1; break;
      default: return std::nullopt;
    }
    if (unit >= last_unit) return std::nullopt;
    last_unit = unit;
    seconds += *number * unit;
    text.remove_prefix(1);
  }
  return seconds;
}

}  // namespace slipway::spec
