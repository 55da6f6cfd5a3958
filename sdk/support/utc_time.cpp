#include "sdk/support/utc_time.hpp"

#include <cinttypes>
#include <cstddef>
#include <cstdio>
#include <ctime>

namespace slipway {

std::string utc_json(std::int64_t time_ns) {
  if (time_ns == 0) return "null";
  constexpr std::int64_t kSecond = 1'000'000'000;
  const std::time_t seconds = time_ns / kSecond;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[64];
  const std::size_t size = std::strftime(text, sizeof text, "\"%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(text + size, sizeof text - size, ".%03" PRId64 "Z\"",
                time_ns % kSecond / 1'000'000);
  return text;
}

}  // namespace slipway
