// The reader's side of LogLimit (log_limit.hpp): finds where a log file begins.
#pragma once

#include <cstdint>
#include <string_view>

namespace slipway::local {

/// Returns whether `bytes`, which were just read from `offset` on, may lie in the part of the file
/// that was given back; then stores in `next` where to continue. Looks only at the edges of each
/// page of `bytes` if there are no NUL characters. Also correct if the front is given back during
/// the read: the hole always begins at the start of the file, and ends with a page.
bool in_hole(int fd, std::uint64_t offset, std::string_view bytes, std::uint64_t& next);

}  // namespace slipway::local
