// Reads mounts in the one-line form of TorchX and Docker: `type=bind,src=/data,dst=/data,readonly`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "slipway/mount_options.hpp"

namespace slipway::spec {

/// Does what slipway::parse_mounts() does, and suggests the nearest name for an unknown option.
std::vector<Mount> parse_mounts(const std::vector<std::string>& options);

/// Returns the options in a string that separates them by commas.
std::vector<std::string> mount_options(std::string_view text);

/// Does what parse_mounts() does for one string of options separated by commas. Paths that contain
/// commas need the table form.
std::vector<Mount> parse_mount_string(std::string_view text);

}  // namespace slipway::spec
