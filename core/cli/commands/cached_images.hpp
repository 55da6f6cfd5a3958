// The images that the image providers of all plug-ins keep on this machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/cli/invocation/invocation.hpp"
#include "slipway/image_provider.hpp"

namespace slipway::cli {

struct CachedImage {
  std::string provider;  ///< the name of the image provider
  UnusedImage image;
};

/// Returns the images that no process uses, sorted by provider and then by the time of their last
/// use. Prints a warning for each provider that keeps images and did not answer.
std::vector<CachedImage> unused_images(Invocation& invocation);

/// Removes an image. Throws Error kPrecondition if a process has begun to use it.
void remove_image(Invocation& invocation, const CachedImage& image);

/// Returns the disk space of all files below the directory, in bytes; 0 if it does not exist.
/// Counts only up to the first directory that cannot be read.
std::int64_t disk_bytes(const std::string& directory);

}  // namespace slipway::cli
