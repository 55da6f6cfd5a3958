// Finds macros and variables in a text.
#pragma once

#include <string_view>
#include <vector>

namespace slipway::lint {

/// `$name` or `${name}`. The views are parts of the text that was scanned.
struct DollarName {
  std::string_view name;  ///< without dollar sign and braces
  /// The name with dollar sign and braces. If it is not `closed`, extends to the next `}`, if any.
  std::string_view written;
  bool braced = false;  ///< whether the text has a `{` before the name
  bool closed = true;   ///< false if braced and no `}` follows the name, as in `${name:-default}`
};

/// Returns all names in `text`, by the rules of substitute_macros() (slipway/macros.hpp): `$$` is a
/// literal dollar sign, and `$` or `${` without an identifier is not a name. Thread safe.
std::vector<DollarName> scan_dollar_names(std::string_view text);

/// Returns the names of the macros, without dollar sign, except those with ports: `${port.http}`.
const std::vector<std::string_view>& macro_names();
/// Returns whether macro_names() has `name`.
bool is_macro(std::string_view name);

}  // namespace slipway::lint
