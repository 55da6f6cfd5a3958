// The keys that an app file may have: for near names, and for whoever describes the format (app.schema.json, which a
// test compares with them). Those of resources: resource_table.hpp.
#pragma once

#include <string_view>
#include <vector>

namespace slipway::spec {

const std::vector<std::string_view>& app_keys();
/// Without `overrides`, which is read and ignored.
const std::vector<std::string_view>& role_keys();
/// Of a mount that is written as a table.
const std::vector<std::string_view>& mount_keys();

}  // namespace slipway::spec
