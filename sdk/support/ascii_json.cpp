#include "sdk/support/ascii_json.hpp"

#include <cstddef>

#include "slipway/visible_text.hpp"

namespace slipway {

namespace {

void append_escape(char32_t unit, std::string& out) {
  out += "\\u";
  detail::append_hex(unit, 4, out);
}

}  // namespace

std::string ascii_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t at = 0; at < json.size();) {
    const auto byte = static_cast<unsigned char>(json[at]);
    if (byte < 0x80) {
      out.push_back(json[at++]);
      continue;
    }
    const std::size_t length = utf8_length_at(json, at);
    const char32_t code = length == 0 ? 0xdc00U + byte : detail::utf8_code_at(json, at, length);
    if (code >= 0x10000) {
      append_escape(0xd800 + ((code - 0x10000) >> 10), out);
      append_escape(0xdc00 + ((code - 0x10000) & 0x3ff), out);
    } else {
      append_escape(code, out);
    }
    at += length == 0 ? 1 : length;
  }
  return out;
}

}  // namespace slipway
