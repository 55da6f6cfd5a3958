// Reads numbers in the forms that TorchX accepts for run options and arguments: those of Python's
// int() and float().
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace slipway::spec {

/// Returns the decimal integer in `text`: ASCII digits, an optional sign, at most one '_' between
/// two digits, blanks around it ignored. Returns nullopt for any other text and for numbers beyond
/// 64 bits. Thread safe.
std::optional<std::int64_t> integer_from(std::string_view text);

/// Does the same for a decimal number with an optional exponent, and for inf, infinity and nan in
/// any case. Numbers that are too large become infinite, those too small zero. Independent of the
/// locale. Thread safe.
std::optional<double> real_from(std::string_view text);

}  // namespace slipway::spec
