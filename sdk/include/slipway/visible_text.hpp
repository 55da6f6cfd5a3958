// Escapes text so that a terminal shows it but does not interpret it, and decodes the UTF-8 in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace slipway {
inline namespace sdk_1_0 {

/// Returns the number of bytes (1 to 4) of the UTF-8 character at `text[at]`, or 0 if no whole and
/// valid one begins there. Overlong forms, surrogates and values above U+10FFFF are invalid. [any
/// thread, like all of this file]
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

namespace detail {

/// Returns the code point of the `length` bytes at `text[at]`; see utf8_length_at().
inline char32_t utf8_code_at(std::string_view text, std::size_t at, std::size_t length) {
  const unsigned first = static_cast<unsigned char>(text[at]);
  if (length == 1) return first;
  char32_t code = first & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i)
    code = (code << 6) | (static_cast<unsigned char>(text[at + i]) & 0x3fU);
  return code;
}

/// Appends `digits` hexadecimal digits of `value`.
inline void append_hex(unsigned long value, int digits, std::string& out) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    out.push_back("0123456789abcdef"[(value >> shift) & 0xf]);
}

/// Returns whether the 8 bytes are printable ASCII. A subtraction sets the high bit of each byte
/// that is too small: of those below 0x20 in `controls`, of those that are 0x7f in `deletes`. A
/// borrow from such a byte may also change the next ones, but then the result is false anyway.
inline bool is_plain_block(const char* bytes) {
  constexpr std::uint64_t kHigh = 0x8080808080808080;
  std::uint64_t block = 0;
  std::memcpy(&block, bytes, sizeof block);
  const std::uint64_t controls = block - 0x2020202020202020;
  const std::uint64_t deletes = (block ^ 0x7f7f7f7f7f7f7f7f) - 0x0101010101010101;
  return ((block | controls | deletes) & kHigh) == 0;
}

/// Returns `text` in which each character that must not reach a terminal is replaced by the text
/// that `escape(code, length, out)` appends to `out`. `code` is the code point, and `length` is its
/// number of bytes; for an invalid byte, `code` is the byte and `length` is 0. Keeps newlines and
/// tabs if `keep_layout`.
template <class Escape>
std::string escaped_text(std::string_view text, bool keep_layout, Escape escape);

}  // namespace detail

/// Returns whether a terminal would interpret `code` or show nothing for it: control characters
/// (C0, DEL, C1), bidirectional controls, and characters without width, such as U+200B and U+FEFF.
inline bool is_hidden_character(char32_t code) {
  struct Range {
    char32_t first, last;
  };
  // In ascending order, on which the loop below relies.
  constexpr Range kHidden[] = {
      {0x00, 0x1f},       {0x7f, 0x9f},      {0xad, 0xad},     {0x61c, 0x61c},   {0x115f, 0x1160},
      {0x17b4, 0x17b5},   {0x180b, 0x180f},  {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
      {0x3164, 0x3164},   {0xfeff, 0xfeff},  {0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0x1bca0, 0x1bca3},
      {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};
  if (code >= 0x20 && code < 0x7f) return false;
  for (const Range& range : kHidden) {
    if (code <= range.last) return code >= range.first;
  }
  return false;
}

template <class Escape>
std::string detail::escaped_text(std::string_view text, bool keep_layout, Escape escape) {
  std::string out;
  out.reserve(text.size());
  std::size_t copied = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text.size() - at >= 8 && is_plain_block(text.data() + at)) {
      at += 8;
      continue;
    }
    const auto byte = static_cast<unsigned char>(text[at]);
    if ((byte >= 0x20 && byte < 0x7f) || (keep_layout && (byte == '\n' || byte == '\t'))) {
      ++at;
      continue;
    }
    const std::size_t length = utf8_length_at(text, at);
    const char32_t code = length == 0 ? byte : utf8_code_at(text, at, length);
    const std::size_t next = at + (length == 0 ? 1 : length);
    if (length == 0 || is_hidden_character(code)) {
      out.append(text.substr(copied, at - copied));
      escape(code, length, out);
      copied = next;
    }
    at = next;
  }
  return out.append(text.substr(copied));
}

namespace detail {

inline void escape_for_people(char32_t code, std::size_t length, std::string& out) {
  if (code == '\n' || code == '\t') {
    out += code == '\n' ? "\\n" : "\\t";
  } else if (length < 2) {
    out += "\\x";
    append_hex(code, 2, out);
  } else {
    out += code < 0x10000 ? "\\u" : "\\U";
    append_hex(code, code < 0x10000 ? 4 : 8, out);
  }
}

}  // namespace detail

/// Returns `text` for a terminal. Hidden characters become `\x1b`, `\u202e` or `\U000e0041` (beyond
/// ASCII, these are TOML's escapes), and an invalid byte becomes `\x9b`. Keeps newlines and tabs.
inline std::string visible_text(std::string_view text) {
  return detail::escaped_text(text, /*keep_layout=*/true, detail::escape_for_people);
}

/// Does the same, but on one line: newlines and tabs become `\n` and `\t`.
inline std::string visible_line(std::string_view text) {
  return detail::escaped_text(text, /*keep_layout=*/false, detail::escape_for_people);
}

/// Returns the JSON `document` with hidden characters as JSON escapes, so that its values do not
/// change. An invalid byte becomes U+FFFD, because JSON cannot contain it.
inline std::string visible_json(std::string_view document) {
  return detail::escaped_text(
      document, /*keep_layout=*/true, [](char32_t code, std::size_t length, std::string& out) {
        if (length == 0) {
          out += "\xef\xbf\xbd";
          return;
        }
        const bool is_pair = code >= 0x10000;
        if (is_pair) {
          out += "\\u";
          detail::append_hex(0xd800 + ((code - 0x10000) >> 10), 4, out);
        }
        out += "\\u";
        detail::append_hex(is_pair ? 0xdc00 + ((code - 0x10000) & 0x3ff) : code, 4, out);
      });
}

/// Returns the number of bytes before an incomplete UTF-8 character at the end of `text`, or the
/// size of `text` if it ends with anything else. For text that arrives in pieces.
inline std::size_t whole_characters(std::string_view text) {
  const std::size_t most = text.size() < 4 ? text.size() : 4;
  for (std::size_t back = 1; back <= most; ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const std::size_t length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? text.size() - back : text.size();
  }
  return text.size();
}

}  // namespace sdk_1_0
}  // namespace slipway
