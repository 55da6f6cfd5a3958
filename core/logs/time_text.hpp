// Times as people and scripts read and write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace slipway::logs {

/// RFC 3339 in UTC with milliseconds: `2026-03-01T12:00:00.123Z`. `ns` counts from 1970-01-01 UTC.
std::string time_text(std::int64_t ns);

/// Nanoseconds since 1970-01-01 UTC of an RFC 3339 time, of `@1700000000.5` (seconds since then), or of a length of time
/// before `now_ns` such as `90s`, `10m`, `2h`, `3d`. Throws Error kUsage for anything else.
std::int64_t parse_time(std::string_view text, std::int64_t now_ns);

}  // namespace slipway::logs
