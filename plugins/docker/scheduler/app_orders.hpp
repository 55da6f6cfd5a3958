// Cancels and signals the containers of an app.
#pragma once

#include <string>
#include <vector>

#include "plugins/docker/engine/engine.hpp"
#include "plugins/docker/state/container.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::docker {

/// A container, and the mark that it gets.
struct MarkOrder {
  const Container* container;
  Mark mark;
};

/// Marks the containers of one app, by renaming them. Ignores containers that no longer exist, and
/// those that another process has given the same mark meanwhile. Throws the engine's error, also if
/// it refuses to rename a single container.
void mark_containers(const Engine& engine, const std::vector<MarkOrder>& orders, const Call& call);

/// Asks the engine to stop those of the containers that run: with SIGTERM, and with SIGKILL after
/// the grace time of `options` (none with `now`), or of the container if `options` has none. The
/// engine does so even if this process ends. Throws an error if the engine cannot be reached;
/// ignores its answers.
void stop_containers(const Engine& engine, const std::vector<const Container*>& containers,
                     const CancelOptions& options, const Call& call);

/// Marks as cancelled all replicas that have not ended, including those that wait for a retry, and
/// stops those that run. Keeps a mark that already stops the app. `containers` are those that
/// inspect_for_state() leaves. Throws the engine's error.
void cancel_containers(const Engine& engine, const std::vector<Container>& containers,
                       const CancelOptions& options, const Call& call);

/// Sends the signal to the running containers that the order names, and returns a result for each
/// replica that it names. `containers` are those that inspect_for_state() leaves, and not empty.
/// Throws Error kPrecondition if the app has ended, kNotFound for an unknown role or replica, and
/// an error if the engine cannot be reached.
std::vector<SignalResult> signal_containers(const Engine& engine,
                                            const std::vector<Container>& containers,
                                            const SignalOrder& order, const Call& call);

/// Throws Error kNotFound for a role or replica that the app of `containers` does not have.
void check_roles(const std::string& app_id, const std::vector<Container>& containers,
                 const std::vector<LogTarget>& targets);

}  // namespace slipway::docker
