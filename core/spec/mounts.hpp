// Mounts in the one-line form of TorchX and Docker: `type=bind,src=/data,dst=/data,readonly`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "slipway/mount_options.hpp"

namespace slipway::spec {

/// slipway::parse_mounts(), with the nearest option in the hint for an unknown one.
std::vector<Mount> parse_mounts(const std::vector<std::string>& options);

/// The same for one string with commas between the options. Paths with commas need the table form.
std::vector<Mount> parse_mount_string(std::string_view text);

}  // namespace slipway::spec
