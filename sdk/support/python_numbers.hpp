// Numbers in the texts of Python: those that int() and float() read, which TorchX accepts for run
// options and arguments, and those that repr() prints.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace slipway {

/// Returns the decimal integer in `text`: ASCII digits, an optional sign, at most one '_' between
/// two digits, blanks around it ignored. Returns nullopt for any other text and for numbers beyond
/// 64 bits. [any thread]
std::optional<std::int64_t> integer_from(std::string_view text);

/// Does the same for a decimal number with an optional exponent, and for inf, infinity and nan in
/// any case. Numbers that are too large become infinite, and numbers that are too small become
/// zero. Independent of the locale. [any thread]
std::optional<double> real_from(std::string_view text);

/// Returns the shortest text that reads back as the same number, like Python's `repr`: 1.0, 0.1,
/// 1e+16, inf, nan. Nonzero numbers below 1e-4 and numbers from 1e16 on have an exponent, whatever
/// their sign. [any thread]
std::string float_text(double number);

}  // namespace slipway
