// Searches the output of a replica for a line.
#pragma once

#include <cstdint>
#include <string>

#include "sdk/support/line_pattern.hpp"

namespace slipway::local {

/// The result of scan_log().
enum class LogScan {
  kFound,    ///< a line matches; the offset is behind it
  kNoMatch,  ///< no whole line that has been written matches
  kMore,     ///< the file has more lines than one call reads
};

/// Reads whole lines of `path` (below `root_fd`) from `offset`, and advances it past them. One call
/// reads at most 256 KiB, for some milliseconds. It skips holes in the file (log_limit.hpp), and
/// treats a missing or shorter file as one without further lines. A line longer than kLongLine
/// (line_cut.hpp) is matched in pieces.
LogScan scan_log(int root_fd, const std::string& path, LinePattern& pattern, std::uint64_t& offset);

}  // namespace slipway::local
