// Fractions as programs in Python expect to read them.
#pragma once

#include <string>

namespace slipway::builtins {

/// The shortest text that reads back as the same number, always with a point or an exponent, as Python's `repr`: 1.0,
/// 0.1, 1e+16, inf, nan.
std::string decimal_text(double number);

}  // namespace slipway::builtins
