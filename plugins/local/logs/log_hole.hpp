// The reader's side of LogLimit (log_limit.hpp): where a log file begins.
#pragma once

#include <cstdint>
#include <string_view>

namespace slipway::local {

/// Whether `bytes`, just read from `offset` on, may be what is read where nothing is kept any more;
/// then stores in `next` where to read on. Costs a look at the edges of each page of `bytes` as
/// long as there are no NUL characters. Right even when the front is given back during the read:
/// the hole always begins at the start of the file, and ends with a page.
bool in_hole(int fd, std::uint64_t offset, std::string_view bytes, std::uint64_t& next);

}  // namespace slipway::local
