// Reads whole numbers in arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace slipway::builtins {

/// Returns the number in a text of digits only; nullopt for any other text and for numbers beyond
/// 32 bits.
std::optional<std::int32_t> parse_count(std::string_view text);

/// Does the same, but also accepts blanks around the number and a sign, like Python's `int()`.
std::optional<std::int32_t> parse_signed(std::string_view text);

}  // namespace slipway::builtins
