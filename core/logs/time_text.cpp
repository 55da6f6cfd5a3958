#include "core/logs/time_text.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>

#include "sdk/support/plain_number.hpp"
#include "slipway/error.hpp"

namespace slipway::logs {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
// About the range of 64 bits of nanoseconds, which ends in the year 2262.
constexpr std::int64_t kMostSeconds = 9'200'000'000;

std::optional<double> number(std::string_view text) {
  const auto value = plain_number<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::int64_t> to_nanoseconds(std::optional<double> seconds) {
  if (!seconds || std::abs(*seconds) > static_cast<double>(kMostSeconds)) return {};
  return static_cast<std::int64_t>(*seconds * static_cast<double>(kSecond));
}

std::optional<double> unit_seconds(char unit) {
  switch (unit) {
    case 's': return 1;
    case 'm': return 60;
    case 'h': return 3600;
    case 'd': return 86400;
    default: return {};
  }
}

std::optional<std::int64_t> zone_offset_seconds(const std::string& zone) {
  if (zone == "Z" || zone == "z") return 0;
  int hours = 0;
  int minutes = 0;
  char sign = 0;
  int end = 0;
  if (std::sscanf(zone.c_str(), "%c%2d:%2d%n", &sign, &hours, &minutes, &end) != 3 ||
      static_cast<std::size_t>(end) != zone.size() || (sign != '+' && sign != '-')) {
    return {};
  }
  return (sign == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
}

std::optional<std::int64_t> rfc3339(const std::string& text) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  int hour = 0;
  int minute = 0;
  double seconds = 0;
  int used = 0;
  char separator = 0;
  if (std::sscanf(text.c_str(), "%4d-%2u-%2u%c%2d:%2d:%lf%n", &year, &month, &day, &separator,
                  &hour, &minute, &seconds, &used) != 7 ||
      (separator != 'T' && separator != 't' && separator != ' ')) {
    return {};
  }
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  const auto offset = zone_offset_seconds(text.substr(static_cast<std::size_t>(used)));
  // sscanf reads "nan" as seconds, for which every comparison is false.
  const bool is_second = seconds >= 0 && seconds < 61;
  if (!date.ok() || hour < 0 || hour > 23 || minute < 0 || minute > 59 || !is_second || !offset) {
    return {};
  }
  const std::int64_t days = std::chrono::sys_days{date}.time_since_epoch().count();
  const std::int64_t whole = days * 86400 + hour * 3600 + minute * 60 - *offset;
  return std::clamp(whole, -kMostSeconds, kMostSeconds) * kSecond +
         static_cast<std::int64_t>(seconds * static_cast<double>(kSecond));
}

// Writes `value` with `width` digits to `at`. printf would take a large part of the time of a long
// list. Years have four digits, because 64 bits of nanoseconds end in 2262.
template <typename Value>
void put_digits(char* at, int width, Value value) {
  for (; width > 0; value /= 10) at[--width] = static_cast<char>('0' + value % 10);
}

}  // namespace

std::string time_text(std::int64_t ns) {
  // gmtime would read the time zone's file, which UTC does not need.
  namespace chrono = std::chrono;
  const chrono::sys_time<chrono::nanoseconds> time{chrono::nanoseconds(ns)};
  const auto midnight = chrono::floor<chrono::days>(time);
  const chrono::year_month_day date(midnight);
  const chrono::hh_mm_ss<chrono::milliseconds> clock(
      chrono::floor<chrono::milliseconds>(time - midnight));
  char text[] = "0000-00-00T00:00:00.000Z";
  put_digits(text, 4, static_cast<int>(date.year()));
  put_digits(text + 5, 2, static_cast<unsigned>(date.month()));
  put_digits(text + 8, 2, static_cast<unsigned>(date.day()));
  put_digits(text + 11, 2, clock.hours().count());
  put_digits(text + 14, 2, clock.minutes().count());
  put_digits(text + 17, 2, clock.seconds().count());
  put_digits(text + 20, 3, clock.subseconds().count());
  return text;
}

std::int64_t parse_time(std::string_view text, std::int64_t now_ns) {
  std::optional<std::int64_t> out;
  if (!text.empty() && text.front() == '@') {
    out = to_nanoseconds(number(text.substr(1)));
  } else if (!text.empty() && unit_seconds(text.back())) {
    const auto count = number(text.substr(0, text.size() - 1));
    if (count && *count >= 0) out = to_nanoseconds(*count * *unit_seconds(text.back()));
    if (out) out = now_ns - *out;
  }
  if (!out) out = rfc3339(std::string(text));
  if (!out) {
    throw Error(Code::kUsage, "\"" + std::string(text) + "\" is not a time",
                "use 2026-03-01T12:00:00Z, a duration such as 10m or 2h, or @SECONDS since 1970");
  }
  return *out;
}

std::string local_time_text(std::int64_t ns) {
  const auto seconds = static_cast<std::time_t>(
      std::chrono::floor<std::chrono::seconds>(std::chrono::nanoseconds(ns)).count());
  std::tm local{};
  if (::localtime_r(&seconds, &local) == nullptr || local.tm_gmtoff == 0) return time_text(ns);
  std::string out = time_text(ns + local.tm_gmtoff * kSecond);
  const long minutes = std::labs(local.tm_gmtoff) / 60;
  char offset[] = "+00:00";
  offset[0] = local.tm_gmtoff < 0 ? '-' : '+';
  put_digits(offset + 1, 2, minutes / 60);
  put_digits(offset + 4, 2, minutes % 60);
  out.pop_back();
  return out + offset;
}

TimeNs parse_bound(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return parse_time(text, std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

}  // namespace slipway::logs
