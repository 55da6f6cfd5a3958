// Finds UTF-8 characters in texts that may contain any bytes. The SDK's slipway/visible_text.hpp
// decodes one character.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

#include "slipway/visible_text.hpp"

namespace slipway {

/// Returns whether `byte` continues a character. Each character has exactly one byte that does not
/// continue one.
inline bool continues_utf8(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U;
}

/// Returns the longest prefix of `text` that has at most `most` bytes and does not end inside a
/// character.
inline std::string_view utf8_prefix(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && continues_utf8(text[most])) --most;
  return text.substr(0, most);
}

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

}  // namespace slipway
