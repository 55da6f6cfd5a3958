// Writes floating-point numbers in Python's format.
#pragma once

#include <string>

namespace slipway::builtins {

/// Returns the shortest text that reads back as the same number, with a point or an exponent, like
/// Python's `repr`: 1.0, 0.1, 1e+16, inf, nan.
std::string decimal_text(double number);

}  // namespace slipway::builtins
