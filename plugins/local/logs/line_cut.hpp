// Where a piece of a growing log may be cut.
#pragma once

#include <cstddef>
#include <string_view>

namespace slipway::local {

/// A line that is longer than this is passed on in pieces, so that nobody waits for ever for its
/// end. Bytes.
inline constexpr std::size_t kLongLine = 64 * 1024;

/// How many bytes of `data` may be passed on: up to and including its last newline; all of it if it
/// has none and is at least kLongLine long, or if `last` says that nothing follows; else 0.
std::size_t whole_lines(std::string_view data, bool last) noexcept;

}  // namespace slipway::local
