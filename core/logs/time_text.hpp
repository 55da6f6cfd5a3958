// Reads and writes times in the forms that people and scripts use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "slipway/status.hpp"

namespace slipway::logs {

/// Returns the time in RFC 3339, UTC, with milliseconds: `2026-03-01T12:00:00.123Z`. `ns` is in
/// nanoseconds since 1970-01-01 UTC.
std::string time_text(std::int64_t ns);

/// Returns the time as time_text() does, but in the time zone of the process and with its offset:
/// `2026-03-01T13:00:00.123+01:00`, or `Z` for the offset 0. For people; JSON has UTC.
std::string local_time_text(std::int64_t ns);

/// Returns nanoseconds since 1970-01-01 UTC. `text` is an RFC 3339 time, `@1700000000.5` (seconds
/// since 1970), or a duration before `now_ns`, with one unit: `90s`, `10m`, `2h` or `3d`. An RFC
/// 3339 time beyond the range of 64 bits becomes one near its limit. Throws Error(kUsage) for any
/// other text, and for seconds or durations beyond that range.
std::int64_t parse_time(std::string_view text, std::int64_t now_ns);

/// Returns parse_time() relative to the present time, or nullopt for an empty text: the value of an
/// option such as --since or --before.
TimeNs parse_bound(std::string_view text);

}  // namespace slipway::logs
