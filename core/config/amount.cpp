#include "core/config/amount.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/spec/duration.hpp"
#include "sdk/support/ascii_case.hpp"

namespace slipway::config {

namespace {

using spec::take_number;

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

std::optional<double> sole_number(std::string_view text) {
  const std::optional<double> out = take_number(text);
  return text.empty() ? out : std::nullopt;
}

/// Returns the numbers between the colons of `text`, or nullopt if one is missing.
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

/// Returns the seconds of `1-02:30:00`, `1:30:00`, `30:00` (minutes and seconds) or `90` (minutes).
std::optional<double> clock_seconds(std::string_view text) {
  double days = 0;
  const std::size_t dash = text.find('-');
  const bool has_days = dash != std::string_view::npos;
  if (has_days) {
    const std::optional<double> day_count = sole_number(text.substr(0, dash));
    if (!day_count) return std::nullopt;
    days = *day_count;
    text.remove_prefix(dash + 1);
  }
  const std::optional<std::vector<double>> fields = colon_fields(text);
  if (!fields || fields->size() > 3) return std::nullopt;
  // If there are days or three fields, the first field is hours; otherwise it is minutes.
  double unit = has_days || fields->size() == 3 ? spec::kHourSeconds : spec::kMinuteSeconds;
  double seconds = days * spec::kDaySeconds;
  for (const double field : *fields) {
    seconds += field * unit;
    unit /= 60;
  }
  return seconds;
}

/// Returns the seconds of a time, or nullopt if the text is not a time. 0 is unlimited, as in
/// Slurm.
std::optional<double> seconds_of(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const std::string word = upper_case(text);
  if (word == "UNLIMITED" || word == "INFINITE") return kUnlimited;
  const std::optional<double> clock = clock_seconds(text);
  const std::optional<double> seconds = clock ? clock : spec::duration_seconds(text);
  return seconds == 0.0 ? kUnlimited : seconds;
}

/// Returns the MiB of a size, or nullopt if the text is not a size. 0 is all memory, as in Slurm.
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
  // Both `90` and `5m` are a time and a size; two such texts have the same order as either.
  for (const auto read : {seconds_of, mib_of}) {
    const std::optional<double> left = read(one);
    const std::optional<double> right = read(other);
    if (left && right) return *left < *right ? -1 : *left > *right ? 1 : 0;
  }
  return std::nullopt;
}

bool is_amount(std::string_view text) { return seconds_of(text) || mib_of(text); }

}  // namespace slipway::config
