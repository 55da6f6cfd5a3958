// One line of a log on its way to the reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "slipway/logs.hpp"

namespace slipway::logs {

/// The views are valid only during the call that receives the line. `text` includes the final
/// newline, if there is one. For output of the app itself, `role` is empty and `replica` is -1, as
/// in a LogChunk.
struct LogLine {
  std::uint32_t app = 0;  ///< its number in LineStyle::apps
  std::string_view role;
  std::int32_t replica = 0;
  Stream stream = Stream::kCombined;
  TimeNs time;
  std::string_view text;
};

/// Removes the first line of `rest`, including its newline, and stores it in `line`. Returns false
/// if `rest` is empty.
inline bool take_line(std::string_view& rest, std::string_view& line) {
  const std::size_t newline = rest.find('\n');
  line = rest.substr(0, newline == std::string_view::npos ? newline : newline + 1);
  rest.remove_prefix(line.size());
  return !line.empty();
}

}  // namespace slipway::logs
