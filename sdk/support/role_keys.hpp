// The keys of a role beyond TorchX's fields. App files have them beside the fields; an AppDef has
// each as "slipway.KEY" in the role's metadata, so that TorchX's dataclasses stay as they are.
#pragma once

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <string>
#include <string_view>

#include "slipway/app.hpp"

namespace slipway {

/// In the order in which `describe` prints them.
inline constexpr std::array<std::string_view, 8> kRoleKeys = {
    "service", "cwd", "timeout_s", "grace_s", "retry_on", "backoff", "ready", "depends_on"};

/// The start of such a key in the metadata of a role.
inline constexpr std::string_view kRoleKeyPrefix = "slipway.";

/// The start of the key in an app's metadata that holds its run options for a scheduler: the text
/// of a JSON object at "slipway.options.NAME".
inline constexpr std::string_view kAppOptionsPrefix = "slipway.options.";

inline bool is_role_key(std::string_view name) {
  return std::find(kRoleKeys.begin(), kRoleKeys.end(), name) != kRoleKeys.end();
}

/// Returns KEY of a key "slipway.KEY" in metadata, or an empty text for any other key.
inline std::string_view role_key_in(std::string_view metadata_key) {
  if (!metadata_key.starts_with(kRoleKeyPrefix)) return {};
  return metadata_key.substr(kRoleKeyPrefix.size());
}

/// Returns the role's metadata as an object; empty if it is not the text of one.
inline boost::json::object metadata_of(const Role& role) {
  if (role.metadata_json.empty()) return {};
  boost::system::error_code error;
  boost::json::value all = boost::json::parse(role.metadata_json, error);
  return error || !all.is_object() ? boost::json::object() : std::move(all.get_object());
}

}  // namespace slipway
