// The network of an app's own.
#pragma once

#include <string>

#include "plugins/docker/engine/engine.hpp"
#include "plugins/docker/request/container_plan.hpp"
#include "slipway/host.hpp"

namespace slipway::docker {

/// The engine cannot make a network for an app, or cannot connect a container to it.
struct NoNetwork {
  std::string why;
};

/// Returns whether the engine refused something because it cannot make or use networks.
bool is_about_networks(const Answer& answer);

/// Makes the network of the plan. An engine has addresses for about 30 networks, so when they are
/// used up, first removes the networks of apps that have ended. Throws NoNetwork, or the engine's
/// error.
void make_network(const Engine& engine, const AppPlan& plan, const Call& call);

/// Removes the network of the app, if it has one that no container uses. Throws the engine's error.
void remove_network(const Engine& engine, const std::string& app_id, const Call& call);

}  // namespace slipway::docker
