// Finds the places at which a piece of a growing log may be cut.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace slipway {

/// The length in bytes from which a scheduler passes a line on in pieces, so that no reader waits
/// forever for the end of a line.
inline constexpr std::size_t kLongLine = 64 * 1024;

/// How long a follower waits for the rest of a line before it passes on the beginning: a progress
/// bar ends its line much later or never. abi/logs.h allows 100 ms in all.
inline constexpr std::chrono::milliseconds kLinePatience{30};

/// Returns the number of bytes up to and including the last `end`; 0 without one.
inline std::size_t up_to_last(char end, std::string_view data) {
  if (data.empty()) return 0;
  const auto* at = static_cast<const char*>(::memrchr(data.data(), end, data.size()));
  return at == nullptr ? 0 : static_cast<std::size_t>(at - data.data()) + 1;
}

/// Returns the number of bytes of `data` that may be passed on: all if `is_last`, because nothing
/// follows. Otherwise those up to and including the last newline; without a newline, all if there
/// are at least kLongLine, or else none.
inline std::size_t whole_lines(std::string_view data, bool is_last) {
  if (is_last) return data.size();
  const std::size_t lines = up_to_last('\n', data);
  return lines == 0 && data.size() >= kLongLine ? data.size() : lines;
}

/// Does the same as whole_lines(), but also passes on text up to a carriage return, after which the
/// next state of a progress bar begins.
inline std::size_t whole_states(std::string_view data, bool is_last) {
  const std::size_t lines = whole_lines(data, is_last);
  return lines + up_to_last('\r', data.substr(lines));
}

}  // namespace slipway
