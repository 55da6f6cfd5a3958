// Times in the engine's answers, logs and queries.
#pragma once

#include <time.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "slipway/status.hpp"

namespace slipway::docker {

/// Reads a time such as "2026-11-24T18:55:31.516327931Z" or, of an engine in another time zone,
/// "2026-11-24T19:55:31.516327931+01:00". Returns nullopt for other texts, and for times before
/// 1970: the engine writes the year 1 for "never".
inline TimeNs parse_time(std::string_view text) {
  // strptime() needs a terminated text. The longest time has 35 bytes.
  const std::string copy(text.substr(0, 40));
  tm parts{};
  const char* rest = ::strptime(copy.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
  if (rest == nullptr || parts.tm_year < 70) return std::nullopt;
  std::int64_t ns = 0;
  if (*rest == '.') {
    int digits = 0;
    for (++rest; *rest >= '0' && *rest <= '9' && digits < 9; ++rest, ++digits)
      ns = ns * 10 + (*rest - '0');
    for (; digits < 9; ++digits) ns *= 10;
  }
  rest = ::strptime(rest, "%z", &parts);
  if (rest == nullptr || *rest != '\0') return std::nullopt;
  const std::int64_t east_of_utc = parts.tm_gmtoff;  // in seconds; timegm() ignores and resets it
  return (static_cast<std::int64_t>(::timegm(&parts)) - east_of_utc) * 1'000'000'000 + ns;
}

/// Returns the time in the form of the engine's queries: seconds, a dot, nine digits.
inline std::string query_time(std::int64_t ns) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const std::string digits = std::to_string(kSecond + ns % kSecond);  // a 1, and all nine digits
  return std::to_string(ns / kSecond) + "." + digits.substr(1);
}

}  // namespace slipway::docker
