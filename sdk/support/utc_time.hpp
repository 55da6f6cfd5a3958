// Times for people and programs, in UTC.
#pragma once

#include <cstdint>
#include <string>

namespace slipway {

/// Returns a time, in nanoseconds since the epoch, as JSON: RFC 3339 in UTC with milliseconds;
/// `null` for 0.
std::string utc_json(std::int64_t time_ns);

}  // namespace slipway
