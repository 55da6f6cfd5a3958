// The network that an app gets unless the run option `network` names another one.
#pragma once

#include <string>

#include "plugins/docker/engine/engine.hpp"
#include "plugins/docker/request/container_plan.hpp"
#include "slipway/host.hpp"

namespace slipway::docker {

/// Thrown if the engine cannot make a network for an app, or cannot connect a container to it.
struct NoNetwork {
  std::string why;
};

/// Returns whether the engine did not start a container because it cannot connect the container to
/// its network.
bool cannot_connect(const Answer& start);

/// Makes the network of the plan. An engine has addresses for about 30 networks. When they are used
/// up, removes the networks of apps that have ended, and tries again. Throws NoNetwork, or the
/// engine's error.
void make_network(const Engine& engine, const AppPlan& plan, const Call& call);

/// Removes the endpoint `name` from the network. An endpoint connects a container to a network and
/// has the container's name. An engine that starts after a crash can keep that of a container that
/// ends meanwhile: it then refuses to start another container of this name, and to remove the
/// network. No container may have the name now: the engine would disconnect that one instead.
/// Throws the engine's error, unless there is no such endpoint.
void remove_endpoint(const Engine& engine, const std::string& network, const std::string& name,
                     const Call& call);

/// Removes the network of the app, if the app has one and no container uses it. Throws the engine's
/// error.
void remove_network(const Engine& engine, const std::string& app_id, const Call& call);

}  // namespace slipway::docker
