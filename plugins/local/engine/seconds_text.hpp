// A time in messages for people.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace slipway::local {

/// Milliseconds as seconds, without the unit: "60", "1.5". [any thread]
inline std::string seconds_text(std::int64_t ms) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", static_cast<double>(ms) / 1000);
  return text;
}

}  // namespace slipway::local
