// The containers of one app, as the engine has them now.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "plugins/docker/engine/engine.hpp"
#include "plugins/docker/state/container.hpp"
#include "slipway/host.hpp"

namespace slipway::docker {

/// Returns the containers of the app in the order of its roles and replicas, not inspected. Throws
/// the engine's error.
std::vector<Container> list_containers(const Engine& engine, std::string_view app_id,
                                       const Call& call);

/// Inspects the containers that `selects` accepts, in one round trip. Takes those that no longer
/// exist out of the list. Throws the engine's error.
void inspect(const Engine& engine, std::vector<Container>& containers, const Call& call,
             const std::function<bool(const Container&)>& selects);

/// Inspects the containers that have ended if the app has rules. Then the states of the app and its
/// replicas depend on why the containers ended. Like inspect(), may leave no container.
void inspect_for_state(const Engine& engine, std::vector<Container>& containers, const Call& call);

}  // namespace slipway::docker
