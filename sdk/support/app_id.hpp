// The rule for the ids that schedulers give to apps (abi/scheduler.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "sdk/support/utf8.hpp"

namespace slipway {

inline constexpr std::size_t kLongestAppId = 255;  // bytes: the longest file name of Linux
/// The rule in words, for messages.
inline constexpr std::string_view kAppIdRule =
    "an app id has 1 to 255 bytes of UTF-8, without '/' and control characters, and does not begin "
    "with '.'";

/// Returns whether `text` can be an app id, so that a handle with it parses back.
inline bool is_app_id(std::string_view text) {
  const auto is_forbidden = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f || c == '/';
  };
  return !text.empty() && text.size() <= kLongestAppId && text.front() != '.' &&
         std::none_of(text.begin(), text.end(), is_forbidden) &&
         find_invalid_utf8(text) == std::string_view::npos;
}

}  // namespace slipway
