// Cancellation of and signals to the containers of an app.
#pragma once

#include <string>
#include <vector>

#include "plugins/docker/engine/engine.hpp"
#include "plugins/docker/state/container.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::docker {

/// Marks the containers that have not ended as cancelled, and stops them: with SIGTERM, and SIGKILL
/// after the grace time. The engine carries that out, whatever becomes of this process. Throws the
/// engine's error.
void cancel_containers(const Engine& engine, const std::vector<Container>& containers,
                       const CancelOptions& options, const Call& call);

/// Sends the signal to the running containers of the order. Throws Error kPrecondition if the app
/// has ended, kNotFound for an unknown role or replica.
std::vector<SignalResult> signal_containers(const Engine& engine,
                                            const std::vector<Container>& containers,
                                            const SignalOrder& order, const Call& call);

/// Throws Error kNotFound for a role or replica that the app of `containers` does not have.
void check_roles(const std::string& app_id, const std::vector<Container>& containers,
                 const std::vector<LogTarget>& targets);

}  // namespace slipway::docker
