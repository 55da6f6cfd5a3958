// Just enough UTF-8: is it well formed, and if not, where.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace slipway::spec {

/// Bytes of the well-formed code point at `text[at]` (1 to 4), or 0 when there is none: overlong
/// forms, surrogates and values above U+10FFFF are not well formed.
inline std::size_t utf8_length_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t offset) -> unsigned {
    return at + offset < text.size() ? static_cast<unsigned char>(text[at + offset]) : 0U;
  };
  const auto tail = [&](std::size_t offset) { return (byte(offset) & 0xc0U) == 0x80U; };
  const unsigned first = byte(0);
  if (at >= text.size()) return 0;
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return tail(1) ? 2 : 0;
  if (first >= 0xe0 && first < 0xf0) {
    const bool ok = !(first == 0xe0 && byte(1) < 0xa0) && !(first == 0xed && byte(1) >= 0xa0);
    return ok && tail(1) && tail(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first < 0xf5) {
    const bool ok = !(first == 0xf0 && byte(1) < 0x90) && !(first == 0xf4 && byte(1) >= 0x90);
    return ok && tail(1) && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

/// The offset of the first byte that is not UTF-8, or npos. Eight bytes at a time while the text is
/// ASCII.
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
