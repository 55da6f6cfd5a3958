#include "plugins/local/logs/line_cut.hpp"

#include <cstring>

namespace slipway::local {

std::size_t whole_lines(std::string_view data, bool last) noexcept {
  if (last || data.empty()) return data.size();
  // Searches from the end: a buffer holds many lines, and only the last one matters.
  const auto* newline = static_cast<const char*>(::memrchr(data.data(), '\n', data.size()));
  if (newline != nullptr) return static_cast<std::size_t>(newline - data.data()) + 1;
  return data.size() >= kLongLine ? data.size() : 0;
}

}  // namespace slipway::local
