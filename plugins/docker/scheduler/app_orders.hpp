// Cancellation of and signals to the containers of an app.
#pragma once

#include <string>
#include <vector>

#include "plugins/docker/engine/engine.hpp"
#include "plugins/docker/state/container.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::docker {

/// A mark for a container.
struct MarkOrder {
  const Container* container;
  Mark mark;
};

/// Marks the containers by their names. Throws the engine's error, also if it refuses one.
void mark_containers(const Engine& engine, const std::vector<MarkOrder>& orders, const Call& call);

/// Stops the containers that run: with SIGTERM, and SIGKILL after the grace time. The engine does
/// that, whatever becomes of this process. Throws the engine's error.
void stop_containers(const Engine& engine, const std::vector<const Container*>& containers,
                     const CancelOptions& options, const Call& call);

/// Marks the replicas that have not ended as cancelled, also those that wait for a retry, and
/// stops those that run. Throws the engine's error.
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
