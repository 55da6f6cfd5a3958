// The `local.` keys in the metadata of a role.
#pragma once

#include <boost/json.hpp>
#include <string_view>

#include "slipway/app.hpp"

namespace slipway::local {

inline constexpr std::string_view kDependsOnKey = "local.depends_on";
inline constexpr std::string_view kReadyPrefix = "local.ready.";

/// Returns the role's `local.` keys. Keys of nested tables (`local = { ready = { tcp = 80 } }`) get
/// their flat names (`local.ready.tcp`). Empty without metadata.
boost::json::object local_keys(const Role& role);

/// Throws Error kInvalid that names all unknown `local.` keys of the role, which are misspelt.
void check_keys(const Role& role);

}  // namespace slipway::local
