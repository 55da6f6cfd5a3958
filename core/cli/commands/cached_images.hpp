// The images that the image providers of all plug-ins keep on this machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/cli/invocation/invocation.hpp"
#include "slipway/image_provider.hpp"

namespace slipway::cli {

struct CachedImage {
  std::string provider;  ///< its name
  UnusedImage image;
};

/// Returns the images that no process uses, those of each provider by the time of their last use. A
/// warning names each provider that did not answer.
std::vector<CachedImage> unused_images(Invocation& invocation);

/// Removes an image. Throws kPrecondition if a process uses it by now.
void remove_image(Invocation& invocation, const CachedImage& image);

/// Returns the bytes on the disk of all files in the directory; 0 if there is none.
std::int64_t disk_bytes(const std::string& directory);

}  // namespace slipway::cli
