#include "core/logs/time_text.hpp"

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>

#include "slipway/error.hpp"

namespace slipway::logs {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() ||
      !std::isfinite(value))
    return {};
  return value;
}

std::optional<std::int64_t> to_nanoseconds(std::optional<double> seconds) {
  constexpr double kMost = 9.2e9;  // the range of 64 bits of nanoseconds
  if (!seconds || std::abs(*seconds) > kMost) return {};
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
  if (!date.ok() || hour < 0 || hour > 23 || minute < 0 || minute > 59 || seconds < 0 ||
      seconds >= 61 || !offset) {
    return {};
  }
  const std::int64_t days = std::chrono::sys_days{date}.time_since_epoch().count();
  return (days * 86400 + hour * 3600 + minute * 60 - *offset) * kSecond +
         static_cast<std::int64_t>(seconds * static_cast<double>(kSecond));
}

}  // namespace

std::string time_text(std::int64_t ns) {
  // not gmtime: it reads the time zone's file, which UTC does not need
  namespace chrono = std::chrono;
  const chrono::sys_time<chrono::nanoseconds> time{chrono::nanoseconds(ns)};
  const auto midnight = chrono::floor<chrono::days>(time);
  const chrono::year_month_day date(midnight);
  const chrono::hh_mm_ss<chrono::milliseconds> clock(
      chrono::floor<chrono::milliseconds>(time - midnight));
  char text[64];
  std::snprintf(
      text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
      static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
      static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
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
    throw Error(
        Code::kUsage, "\"" + std::string(text) + "\" is not a time",
        "use 2026-03-01T12:00:00Z, a length of time such as 10m or 2h, or @SECONDS since 1970");
  }
  return *out;
}

}  // namespace slipway::logs
