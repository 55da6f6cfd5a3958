// The keys that an app file may have, for "did you mean" and for the test that compares them with
// app.schema.json. resource_table.hpp has the keys of resources.
#pragma once

#include <string_view>
#include <vector>

namespace slipway::spec {

const std::vector<std::string_view>& app_keys();
/// Does not list `overrides`, which the reader accepts and ignores.
const std::vector<std::string_view>& role_keys();
/// The keys of a mount that is written as a table.
const std::vector<std::string_view>& mount_keys();

}  // namespace slipway::spec
