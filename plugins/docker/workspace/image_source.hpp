// The URL of a workspace of the provider `image`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "plugins/docker/request/docker_options.hpp"

namespace slipway::docker {

/// The parts of `image://PATH?from=IMAGE&pull=POLICY`, percent-encoded, or of a path alone.
struct ImageSource {
  std::string path;                 ///< absolute, without '/' at the end
  std::optional<std::string> from;  ///< the image below the workspace; not set: no image
  PullPolicy pull = PullPolicy::kMissing;
};

/// Reads the URL or path of a workspace. Throws Error kInvalid for another text.
ImageSource parse_image_source(std::string_view source);

}  // namespace slipway::docker
