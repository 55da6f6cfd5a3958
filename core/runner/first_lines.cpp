#include "core/runner/first_lines.hpp"

namespace slipway {

std::string_view FirstLines::behind(const LogChunk& chunk) {
  if (count_ == 0) return chunk.bytes;
  std::uint64_t& seen = seen_[{std::string(chunk.role), chunk.replica, chunk.stream}];
  std::string_view rest = chunk.bytes;
  while (seen < count_) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return {};
    rest.remove_prefix(end + 1);
    ++seen;
  }
  return rest;
}

}  // namespace slipway
