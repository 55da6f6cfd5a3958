// Finds bytes that are not UTF-8.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

#include "slipway/visible_text.hpp"

namespace slipway::spec {

/// Returns the offset of the first byte that is not UTF-8, or npos. Checks eight bytes at a time
/// while the text is ASCII.
inline std::size_t find_invalid_utf8(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    unsigned long long block = 0;
    if (text.size() - i >= sizeof block) {
      std::memcpy(&block, text.data() + i, sizeof block);
      if ((block & 0x8080808080808080ULL) == 0) {
        i += sizeof block;
        continue;
      }
    }
    const std::size_t length = utf8_length_at(text, i);
    if (length == 0) return i;
    i += length;
  }
  return std::string_view::npos;
}

}  // namespace slipway::spec
