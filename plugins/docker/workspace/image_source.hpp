// The URL of a workspace of the provider `image`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "plugins/docker/request/docker_options.hpp"

namespace slipway::docker {

/// The parts of `image://PATH?from=IMAGE&pull=POLICY`, percent-encoded, or of a path alone.
struct ImageSource {
  std::string path;  ///< absolute, without '/' at the end
  /// The image below the workspace; not set: no image. If the host has made the URL, the role's
  /// image, which may be empty.
  std::optional<std::string> from;
  PullPolicy pull = PullPolicy::kMissing;
};

/// Reads the URL or path of a workspace. Accepts any scheme, because the host has found the
/// provider by it. Throws Error kInvalid for a path that is not absolute, and for a wrong parameter
/// or encoding.
ImageSource parse_image_source(std::string_view source);

}  // namespace slipway::docker
