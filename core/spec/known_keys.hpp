// The keys that app files may have, for "did you mean" and for the test that compares them with
// app.schema.json.
#pragma once

#include <string_view>
#include <type_traits>
#include <vector>

#include "sdk/support/role_keys.hpp"
#include "slipway/app_fields.hpp"

namespace slipway::spec {

/// The table of an app file with run options, [options.SCHEDULER].
inline constexpr std::string_view kOptionsKey = "options";

/// Returns the keys of an AppDef, Role, Mount or Resource that is written as a table, with their
/// aliases. Does not list `overrides`, which the reader of roles accepts and ignores.
template <class Struct>
const std::vector<std::string_view>& known_keys() {
  static const std::vector<std::string_view> keys = [] {
    std::vector<std::string_view> out;
    each_field<Struct>([&out](const auto& field) {
      out.emplace_back(field.key);
      if (*field.alias != '\0') out.emplace_back(field.alias);
    });
    if constexpr (std::is_same_v<Struct, AppDef>) out.push_back(kOptionsKey);
    if constexpr (std::is_same_v<Struct, Role>)
      out.insert(out.end(), kRoleKeys.begin(), kRoleKeys.end());
    return out;
  }();
  return keys;
}

}  // namespace slipway::spec
