// How two entries of one plug-in differ.
#pragma once

#include <string>

#include "core/registry/manifests/manifest.hpp"

namespace slipway::registry {

/// What people have to know of an entry that is not used because another one of its id comes first:
/// "version 1.2 and not 1.3; library …". Empty for a copy that says the same.
std::string difference_of(const PluginEntry& loser, const PluginEntry& winner);

}  // namespace slipway::registry
