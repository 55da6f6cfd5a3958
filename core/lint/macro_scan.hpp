// Where a text refers to something with a dollar sign.
#pragma once

#include <string_view>
#include <vector>

namespace slipway::lint {

/// `$name` or `${name}`. The views are parts of the text that was scanned.
struct DollarName {
  std::string_view name;
  std::string_view
      written;  ///< with dollar sign and braces; up to the next `}`, if there is one, where `name` is not closed
  bool braced = false;
  bool closed = true;  ///< false: no `}` follows the name in `${name`, as in `${name:-default}`
};

/// All of them, as substitute_macros() (slipway/macros.hpp) reads the text: `$$` is a dollar sign and begins no name; `$`
/// and `${` that no identifier follows are not listed. Thread safe.
std::vector<DollarName> scan_dollar_names(std::string_view text);

/// The names of the macros, without dollar sign.
const std::vector<std::string_view>& macro_names();
bool is_macro(std::string_view name);

}  // namespace slipway::lint
