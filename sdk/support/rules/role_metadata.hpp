// The keys in the metadata of a role for schedulers that supervise their apps: those of app files
// (sdk/support/role_keys.hpp), and the older ones that begin with `local.`.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "slipway/app.hpp"

namespace slipway::rules {

/// Returns the role's `local.` keys, and `ready` and `depends_on` of the app file. Keys of nested
/// tables (`ready = { tcp = 80 }`) get their flat names (`ready.tcp`, `local.ready.tcp`), except
/// those of `depends_on`, which are names of roles. Empty without metadata.
boost::json::object local_keys(const Role& role);

/// Returns the part of a flat name below `ready` or `local.ready`: `tcp` of `ready.tcp`; nullopt
/// for other names.
std::optional<std::string_view> below_ready(std::string_view name);

/// Returns the key of `keys` that gives the order of roles: `depends_on` or `local.depends_on`;
/// nullptr if there is none.
const boost::json::key_value_pair* depends_on_in(const boost::json::object& keys);

/// Returns `cwd` of the app file; empty if the role does not set it.
std::string own_cwd(const Role& role);

/// Throws Error kInvalid, with all unknown `local.` keys of the role, which must be misspelt, or
/// with `ready` or `depends_on` if the role has it both with and without `local.`.
void check_keys(const Role& role);

}  // namespace slipway::rules
