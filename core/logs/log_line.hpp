// One line of a replica's log on its way to the reader.
#pragma once

#include <cstdint>
#include <string_view>

#include "slipway/logs.hpp"

namespace slipway::logs {

/// The views are valid during the call that they are handed to. `text` keeps its final newline where it has one.
struct LogLine {
  std::string_view role;
  std::int32_t replica = 0;
  Stream stream = Stream::kCombined;
  TimeNs time;
  std::string_view text;
};

}  // namespace slipway::logs
