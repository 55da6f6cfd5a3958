// Where a text refers to something with a dollar sign.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slipway::lint {

/// `$name` or `${name}`.
struct DollarName {
  std::string_view name;  ///< part of the text that was scanned
  bool braced = false;
  bool closed = true;  ///< false: `${name` without its `}`
};

/// All of them, as substitute_macros() (slipway/macros.hpp) reads the text: `$$` is a dollar sign and begins no name; `$`
/// and `${` that no identifier follows are not listed. Thread safe.
std::vector<DollarName> scan_dollar_names(std::string_view text);

/// `$name` or `${name}`, as it is written.
std::string to_string(const DollarName& use);

/// The names of the macros, without dollar sign.
const std::vector<std::string_view>& macro_names();
bool is_macro(std::string_view name);

}  // namespace slipway::lint
