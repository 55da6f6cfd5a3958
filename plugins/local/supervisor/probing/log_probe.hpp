// Looking for a line in what a replica has written.
#pragma once

#include <cstdint>
#include <string>

#include "plugins/local/logs/line_pattern.hpp"

namespace slipway::local {

enum class LogLook {
  kFound,
  kNotYet,  ///< all whole lines that are there have been looked at
  kMore,    ///< there are more than one look takes
};

/// Reads whole lines of `path` (below `root_fd`) from `offset` on, and moves that behind what it
/// has read. At most 256 KiB or some milliseconds at a time. What was given back to the disk is
/// passed over; a file that is missing or shorter has nothing to say. A line longer than kLongLine
/// (logs/line_cut.hpp) is looked at in pieces.
LogLook look_in_log(int root_fd, const std::string& path, LinePattern& pattern,
                    std::uint64_t& offset);

}  // namespace slipway::local
