// Checks the names of apps, roles and sessions, which become directory names and parts of handles.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace slipway::spec {

/// The longest name that file systems allow, in bytes.
inline constexpr std::size_t kMaxNameBytes = 255;

/// The bytes that make_unique_id() (slipway/ids.hpp) appends to an app's name: a dash and at most
/// 14 characters.
inline constexpr std::size_t kIdSuffixBytes = 15;

/// Returns why `name` is not allowed, as the rest of a sentence ("contains a slash"), or an empty
/// text if it is. A name is 1 to `max_bytes` bytes of UTF-8, contains no `/` and no control or
/// invisible character (slipway/visible_text.hpp), and does not start with a dot. Thread safe.
std::string name_fault(std::string_view name, std::size_t max_bytes = kMaxNameBytes);

/// Returns why `name` cannot be printed unchanged, as the rest of a sentence ("contains a control
/// character"), or an empty text. For names that do not become directory names and may contain any
/// visible character. Thread safe.
std::string hidden_fault(std::string_view name);

}  // namespace slipway::spec
