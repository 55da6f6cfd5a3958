// The images that an image provider of a plug-in keeps; see slipway/abi/image_cache.h for the
// contracts.
#pragma once

#include <string_view>
#include <vector>

#include "core/registry/objects/plugin_object.hpp"
#include "slipway/image_provider.hpp"

namespace slipway::registry {

/// Returns the images that no process uses. Throws kUnimplemented if the provider lacks this
/// optional ability.
std::vector<UnusedImage> unused_images(const PluginImageProvider& provider);

/// Removes the image in the directory `root`. Throws kUnimplemented if the provider lacks the
/// ability, and kPrecondition if a process uses the image.
void remove_image(const PluginImageProvider& provider, std::string_view root);

}  // namespace slipway::registry
