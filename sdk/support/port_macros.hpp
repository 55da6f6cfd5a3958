// Macros with the ports and hosts of roles: `${port.http}` of the replica's own role,
// `${role.kv.port.http}` and `${role.kv.host}` of any role of the app.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/app.hpp"

namespace slipway {

/// One macro in a text. The views are parts of the text.
struct PortMacro {
  std::string_view written;  ///< `${role.kv.port.http}`
  std::string_view role;     ///< empty: the replica's own
  std::string_view port;     ///< empty: the macro means the role's host, or is malformed
  bool is_malformed = false;
};

/// Returns the macros of a text in their order. A macro that begins with `${port.` or `${role.` but
/// has none of the forms above is malformed. `$$` is a literal dollar sign, as in
/// substitute_macros(). [any thread]
std::vector<PortMacro> port_macros(std::string_view text);

/// Returns the value of a macro, or nullopt if it has none.
using PortMacroValue = std::function<std::optional<std::string>(const PortMacro&)>;

/// Returns the text with each macro replaced by its value. Leaves malformed macros and those
/// without a value unchanged.
std::string replace_port_macros(std::string_view text, const PortMacroValue& value);

/// Calls `visit` with the arguments of the role and the values of its variables. These macros also
/// work in the command of a readiness probe, where schedulers that probe replace them themselves.
void each_port_macro_text(Role& role, const std::function<void(std::string&)>& visit);

}  // namespace slipway
