// Reads durations as people write them: `90s`, `1h30m`.
#pragma once

#include <optional>
#include <string_view>

namespace slipway::spec {

inline constexpr double kMinuteSeconds = 60;
inline constexpr double kHourSeconds = 60 * kMinuteSeconds;
inline constexpr double kDaySeconds = 24 * kHourSeconds;
inline constexpr double kWeekSeconds = 7 * kDaySeconds;

/// Takes a number without a sign from the front of `text`; nullopt if there is none.
std::optional<double> take_number(std::string_view& text);

/// Returns the seconds of numbers with the units w, d, h, m and s, such as `1h30m`. Units must
/// become smaller. Returns nullopt for other texts.
std::optional<double> duration_seconds(std::string_view text);

}  // namespace slipway::spec
