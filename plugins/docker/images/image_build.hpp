// Builds an image through the engine.
#pragma once

#include <string>

#include "plugins/docker/engine/engine.hpp"
#include "plugins/docker/images/build_context.hpp"
#include "slipway/dict.hpp"
#include "slipway/host.hpp"

namespace slipway::docker {

struct BuildOrder {
  std::string name;        ///< of the image
  std::string dockerfile;  ///< its path in the context
  StrDict arguments;
  StrDict labels;
};

/// Sends the context and builds the image, which gets its name when it is complete. Reports the
/// progress to the host's log. Throws Error kInvalid for a Dockerfile that the engine cannot build,
/// with its words and the last output of the failed step; kNotFound for an image that it starts
/// from, kCantCreate without space. After an error, the engine keeps nothing but its cache of
/// complete steps.
void build_image(const Engine& engine, const BuildOrder& order, BuildContext& context,
                 const Host& host, const Call& call);

}  // namespace slipway::docker
