#include "plugins/local/supervisor/record/json_text.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace slipway::local {
namespace {

void append_unit(std::string& out, std::uint32_t unit) {
  char text[8];
  std::snprintf(text, sizeof text, "\\u%04x", static_cast<unsigned int>(unit & 0xFFFFU));
  out += text;
}

/// Length of the valid UTF-8 sequence at the start of `text`, 0 when there is none; `point` is its
/// character.
std::size_t decode(std::string_view text, std::uint32_t& point) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  if (length == 0 || length > text.size()) return 0;
  point = length == 1 ? lead : lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
    point = (point << 6U) | (byte(i) & 0x3FU);
  }
  const bool too_long = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  return too_long || surrogate || point > 0x10FFFF ? 0 : length;
}

}  // namespace

std::string json_quoted(std::string_view text) {
  std::string out = "\"";
  const auto needs_escape = [](char c) { return c < 0x20 || c > 0x7E || c == '"' || c == '\\'; };
  const std::size_t plain =
      static_cast<std::size_t>(std::find_if(text.begin(), text.end(), needs_escape) - text.begin());
  out += text.substr(0, plain);
  text.remove_prefix(plain);
  while (!text.empty()) {
    std::uint32_t point = 0;
    const std::size_t length = decode(text, point);
    if (length == 0) {
      append_unit(out, 0xDC00U + static_cast<unsigned char>(text.front()));
    } else if (point == '"' || point == '\\') {
      out += '\\';
      out += static_cast<char>(point);
    } else if (point == '\n') {
      out += "\\n";
    } else if (point == '\r') {
      out += "\\r";
    } else if (point == '\t') {
      out += "\\t";
    } else if (point == '\b') {
      out += "\\b";
    } else if (point == '\f') {
      out += "\\f";
    } else if (point >= 0x20 && point < 0x7F) {
      out += static_cast<char>(point);
    } else if (point < 0x10000) {
      append_unit(out, point);
    } else {
      append_unit(out, 0xD800U + ((point - 0x10000U) >> 10U));
      append_unit(out, 0xDC00U + ((point - 0x10000U) & 0x3FFU));
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out + '"';
}

}  // namespace slipway::local
