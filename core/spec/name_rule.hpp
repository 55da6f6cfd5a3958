// What may be a name: of an app, of a role, of a session. Names become names of directories and parts of handles.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace slipway::spec {

/// The longest name, in bytes: what file systems allow.
inline constexpr std::size_t kMaxNameBytes = 255;

/// Returns why `name` cannot be a name, as the rest of a sentence ("contains a slash"), or an empty
/// text when it can: UTF-8 of 1 to `most` bytes, without `/`, without characters that a terminal
/// obeys or shows nothing for (slipway/visible_text.hpp), not starting with a dot. Thread safe.
std::string name_fault(std::string_view name, std::size_t most = kMaxNameBytes);

/// Returns why `name` cannot be shown as it is, as the rest of a sentence ("contains a control
/// character"), or an empty text. For names that are no directories and may hold anything else.
/// Thread safe.
std::string hidden_fault(std::string_view name);

}  // namespace slipway::spec
