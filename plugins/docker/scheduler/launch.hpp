// Starts the containers of an app, all or none, and removes them.
#pragma once

#include <string>

#include "plugins/docker/engine/engine.hpp"
#include "plugins/docker/request/container_plan.hpp"
#include "slipway/host.hpp"

namespace slipway::docker {

/// Provides the images, makes the network, creates the containers, and starts those that do not
/// wait. If the engine cannot make networks, warns and uses the network `host`. Throws the errors
/// of provide_image() and of the engine. After an error nothing of the app remains; if it could not
/// be removed, throws Error kOutcomeUnknown. `app_text` is the app as an app file.
void launch(const Engine& engine, const AppPlan& plan, const std::string& app_text,
            const Host& host, const Call& call);

/// Removes the containers of the app, with their anonymous volumes, and the app's network. With
/// `force`, also removes containers that run. Throws the engine's error.
void remove_app(const Engine& engine, const std::string& app_id, bool force, const Call& call);

}  // namespace slipway::docker
