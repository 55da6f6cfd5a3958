#include "core/config/amount.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "sdk/support/ascii_case.hpp"

namespace slipway::config {

namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();
constexpr double kMinute = 60;
constexpr double kHour = 60 * kMinute;
constexpr double kDay = 24 * kHour;
constexpr double kWeek = 7 * kDay;

/// Takes a number without a sign from the front of `text`.
std::optional<double> take_number(std::string_view& text) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  double out = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), out, std::chars_format::fixed);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return out;
}

std::optional<double> sole_number(std::string_view text) {
  const std::optional<double> out = take_number(text);
  return text.empty() ? out : std::nullopt;
}

/// Reads one number or several with colons between them; nullopt when a number is missing.
std::optional<std::vector<double>> colon_fields(std::string_view text) {
  std::vector<double> out;
  while (true) {
    const std::size_t colon = text.find(':');
    const std::optional<double> field = sole_number(text.substr(0, colon));
    if (!field) return std::nullopt;
    out.push_back(*field);
    if (colon == std::string_view::npos) return out;
    text.remove_prefix(colon + 1);
  }
}

/// Returns the seconds of `1-02:30:00`, `1:30:00`, `30:00` (minutes) or `90` (minutes).
std::optional<double> clock_seconds(std::string_view text) {
  double days = 0;
  const std::size_t dash = text.find('-');
  const bool has_days = dash != std::string_view::npos;
  if (has_days) {
    const std::optional<double> before = sole_number(text.substr(0, dash));
    if (!before) return std::nullopt;
    days = *before;
    text.remove_prefix(dash + 1);
  }
  const std::optional<std::vector<double>> fields = colon_fields(text);
  if (!fields || fields->size() > 3) return std::nullopt;
  // The first field is hours after days, or if there are three fields; otherwise minutes.
  double unit = has_days || fields->size() == 3 ? kHour : kMinute;
  double seconds = days * kDay;
  for (const double field : *fields) {
    seconds += field * unit;
    unit /= 60;
  }
  return seconds;
}

/// Returns the seconds of `1h30m`. Units must become smaller.
std::optional<double> duration_seconds(std::string_view text) {
  double seconds = 0;
  double last_unit = std::numeric_limits<double>::infinity();
  while (!text.empty()) {
    const std::optional<double> number = take_number(text);
    if (!number || text.empty()) return std::nullopt;
    double unit = 0;
    switch (text.front()) {
      case 'w': unit = kWeek; break;
      case 'd': unit = kDay; break;
      case 'h': unit = kHour; break;
      case 'm': unit = kMinute; break;
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

/// Slurm's 0 means no limit.
std::optional<double> seconds_of(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const std::string word = upper_case(text);
  if (word == "UNLIMITED" || word == "INFINITE") return kUnlimited;
  const std::optional<double> clock = clock_seconds(text);
  const std::optional<double> seconds = clock ? clock : duration_seconds(text);
  return seconds == 0.0 ? kUnlimited : seconds;
}

std::optional<double> mib_of(std::string_view text) {
  const std::optional<double> number = take_number(text);
  if (!number) return std::nullopt;
  double mib = *number;
  if (!text.empty()) {
    const std::string suffix = upper_case(text);
    const std::size_t power = std::string_view("KMGTP").find(suffix.front());
    const std::string rest = suffix.substr(1);
    if (power == std::string_view::npos || (!rest.empty() && rest != "B" && rest != "IB"))
      return std::nullopt;
    mib = std::ldexp(mib, 10 * (static_cast<int>(power) - 1));
  }
  return mib == 0.0 ? kUnlimited : mib;
}

}  // namespace

std::optional<int> compare_amounts(std::string_view one, std::string_view other) {
  for (const auto read : {seconds_of, mib_of}) {
    const std::optional<double> left = read(one);
    const std::optional<double> right = read(other);
    if (left && right) return *left < *right ? -1 : *left > *right ? 1 : 0;
  }
  return std::nullopt;
}

bool is_amount(std::string_view text) { return seconds_of(text) || mib_of(text); }

}  // namespace slipway::config
