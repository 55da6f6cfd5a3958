// Texts in URLs, where '%' and two hexadecimal digits stand for a byte.
#pragma once

#include <string>
#include <string_view>

#include "slipway/error.hpp"

namespace slipway {

/// Returns `text` in which '%' and two hexadecimal digits replace every byte except letters,
/// digits, "-._~" and the characters in `also_plain`. [any thread]
inline std::string percent_encoded(std::string_view text, std::string_view also_plain = {}) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
  constexpr const char* kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (kPlain.find(c) != std::string_view::npos || also_plain.find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kHex[byte >> 4];
    out += kHex[byte & 0xf];
  }
  return out;
}

/// Does the opposite of percent_encoded(). Throws Error kInvalid for a '%' that two hexadecimal
/// digits do not follow, and for "%00", because no path can contain a NUL. [any thread]
inline std::string percent_decoded(std::string_view text) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? digit(text[i + 1]) : -1;
    const int low = high >= 0 ? digit(text[i + 2]) : -1;
    if (low < 0 || high + low == 0) {
      throw Error(Code::kInvalid, "\"" + std::string(text) + "\" is not valid percent-encoded text",
                  "write % as %25");
    }
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

}  // namespace slipway
