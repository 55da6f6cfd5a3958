#include "plugins/components/arguments/decimal_text.hpp"

#include <charconv>
#include <cmath>

namespace slipway::builtins {

std::string decimal_text(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  const double size = std::fabs(number);
  const bool fixed = number == 0 || (size >= 1e-4 && size < 1e16);
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, number,
                                 fixed ? std::chars_format::fixed : std::chars_format::scientific);
  std::string out(text, end.ptr);
  if (fixed && out.find('.') == std::string::npos) out += ".0";
  return out;
}

}  // namespace slipway::builtins
