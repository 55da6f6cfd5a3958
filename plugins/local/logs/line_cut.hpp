// Finds the places at which a piece of a growing log may be cut.
#pragma once

#include <cstddef>
#include <string_view>

namespace slipway::local {

/// The length in bytes from which a line is passed on in pieces, so that no reader waits forever
/// for its end.
inline constexpr std::size_t kLongLine = 64 * 1024;

/// Returns the number of bytes of `data` that may be passed on: all up to its last newline,
/// included. Without a newline, all of them if there are at least kLongLine or if `last` says that
/// nothing follows; else 0.
std::size_t whole_lines(std::string_view data, bool last) noexcept;

}  // namespace slipway::local
