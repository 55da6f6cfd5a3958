// Makes the images of an app available to the engine.
#pragma once

#include <string>

#include "plugins/docker/engine/engine.hpp"
#include "plugins/docker/request/docker_options.hpp"
#include "slipway/host.hpp"

namespace slipway::docker {

/// Pulls the image if the policy requires it, but never an image that is named by its id. Reports
/// the progress to the host's log. Throws Error kNotFound for an image that does not exist, or that
/// the engine does not have if it must not pull it; kDenied without credentials; and the other
/// errors of pull_error() and registry_auth().
void provide_image(const Engine& engine, const std::string& image, PullPolicy policy,
                   const Host& host, const Call& call);

}  // namespace slipway::docker
