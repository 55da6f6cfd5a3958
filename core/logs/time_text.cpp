#include "core/logs/time_text.hpp"

#include <time.h>

#include <charconv>
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

std::optional<std::int64_t> nanoseconds(std::optional<double> seconds) {
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

std::optional<std::int64_t> rfc3339(const std::string& text) {
  tm parts{};
  double seconds = 0;
  int used = 0;
  char separator = 0;
  if (std::sscanf(text.c_str(), "%4d-%2d-%2d%c%2d:%2d:%lf%n", &parts.tm_year, &parts.tm_mon,
                  &parts.tm_mday, &separator, &parts.tm_hour, &parts.tm_min, &seconds,
                  &used) != 7 ||
      (separator != 'T' && separator != 't' && separator != ' ')) {
    return {};
  }
  parts.tm_year -= 1900;
  parts.tm_mon -= 1;
  const std::string zone = text.substr(static_cast<std::size_t>(used));
  std::int64_t offset = 0;
  if (zone != "Z" && zone != "z") {
    int hours = 0;
    int minutes = 0;
    char sign = 0;
    int end = 0;
    if (std::sscanf(zone.c_str(), "%c%2d:%2d%n", &sign, &hours, &minutes, &end) != 3 ||
        static_cast<std::size_t>(end) != zone.size() || (sign != '+' && sign != '-')) {
      return {};
    }
    offset = (sign == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
  }
  if (parts.tm_mon < 0 || parts.tm_mon > 11 || parts.tm_mday < 1 || parts.tm_mday > 31 ||
      parts.tm_hour > 23 || parts.tm_min > 59 || seconds < 0 || seconds >= 61) {
    return {};
  }
  return (static_cast<std::int64_t>(timegm(&parts)) - offset) * kSecond +
         static_cast<std::int64_t>(seconds * static_cast<double>(kSecond));
}

}  // namespace

std::string time_text(std::int64_t ns) {
  std::int64_t seconds = ns / kSecond;
  std::int64_t rest = ns % kSecond;
  if (rest < 0) {
    rest += kSecond;
    --seconds;
  }
  const time_t clock = static_cast<time_t>(seconds);
  tm parts{};
  gmtime_r(&clock, &parts);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1900,
                parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                static_cast<int>(rest / 1'000'000));
  return text;
}

std::int64_t parse_time(std::string_view text, std::int64_t now_ns) {
  std::optional<std::int64_t> out;
  if (!text.empty() && text.front() == '@') {
    out = nanoseconds(number(text.substr(1)));
  } else if (!text.empty() && unit_seconds(text.back())) {
    const auto count = number(text.substr(0, text.size() - 1));
    if (count && *count >= 0) out = nanoseconds(*count * *unit_seconds(text.back()));
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
