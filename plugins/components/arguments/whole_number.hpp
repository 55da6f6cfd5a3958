// Whole numbers in arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace slipway::builtins {

/// The number that digits and nothing else stand for; nullopt for other texts and for more than 32 bits hold.
std::optional<std::int32_t> parse_count(std::string_view text);

/// The same, with blanks around it and a sign allowed, as Python's `int()`.
std::optional<std::int32_t> parse_signed(std::string_view text);

}  // namespace slipway::builtins
