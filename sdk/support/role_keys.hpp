// The keys of a role beyond TorchX's fields. An app file has them beside the fields. An AppDef has
// each as "slipway.KEY" in the role's metadata, so that AppDef keeps the fields of TorchX's
// dataclass.
#pragma once

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <string>
#include <string_view>

#include "sdk/support/deep_json.hpp"
#include "slipway/app.hpp"

namespace slipway {

/// In the order in which `describe` prints them.
inline constexpr std::array<std::string_view, 8> kRoleKeys = {
    "service", "cwd", "timeout_s", "grace_s", "retry_on", "backoff", "ready", "depends_on"};

/// The prefix of such a key in the metadata of a role.
inline constexpr std::string_view kRoleKeyPrefix = "slipway.";

/// The prefix of keys in an app's metadata that hold its run options: "slipway.options.NAME" has
/// those for the scheduler NAME, as the text of a JSON object.
inline constexpr std::string_view kAppOptionsPrefix = "slipway.options.";

/// Returns whether `name` is one of kRoleKeys.
inline bool is_role_key(std::string_view name) {
  return std::find(kRoleKeys.begin(), kRoleKeys.end(), name) != kRoleKeys.end();
}

/// Returns KEY of a key "slipway.KEY" in metadata, or an empty text for any other key.
inline std::string_view role_key_in(std::string_view metadata_key) {
  if (!metadata_key.starts_with(kRoleKeyPrefix)) return {};
  return metadata_key.substr(kRoleKeyPrefix.size());
}

/// Returns the role's metadata as an object; an empty one if the metadata is not the text of an
/// object.
inline boost::json::object metadata_of(const Role& role) {
  if (role.metadata_json.empty()) return {};
  boost::system::error_code error;
  boost::json::value all = parse_deep_json(role.metadata_json, error);
  return error || !all.is_object() ? boost::json::object() : std::move(all.get_object());
}

}  // namespace slipway
