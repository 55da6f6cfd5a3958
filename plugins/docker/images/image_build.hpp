// Builds an image through the engine.
#pragma once

#include <string>

#include "plugins/docker/engine/engine.hpp"
#include "plugins/docker/images/build_context.hpp"
#include "slipway/dict.hpp"
#include "slipway/host.hpp"

namespace slipway::docker {

struct BuildOrder {
  std::string name;        ///< name of the image to build
  std::string dockerfile;  ///< path of the Dockerfile in the context
  StrDict arguments;       ///< build arguments (ARG)
  StrDict labels;          ///< labels of the image
};

/// Sends the context and builds the image, which gets its name when it is complete. Reports the
/// progress to the host's log. Throws Error kInvalid for a Dockerfile that the engine cannot build,
/// with the engine's words and the last output of the failed step; kNotFound if the image in the
/// FROM line does not exist; kCantCreate if the engine's disk is full; kTemporary if a registry
/// cannot be reached. After such an error, the engine keeps only its cache of complete steps. After
/// another error, such as kCancelled, it may also have the image.
void build_image(const Engine& engine, const BuildOrder& order, BuildContext& context,
                 const Host& host, const Call& call);

}  // namespace slipway::docker
