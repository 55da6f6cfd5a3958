// `run --sweep`: the apps of a grid of parameters, started as one group.
#pragma once

#include "core/cli/commands/commands.hpp"
#include "core/cli/invocation/invocation.hpp"

namespace slipway::cli {

/// Starts an app for each combination of the parameters, at most `command.max_parallel` at once.
/// Loads all apps before it starts the first one. With `dryrun`, only prints the combinations. With
/// `detach`, starts an app on this machine that runs this command again and starts the others; the
/// id of this app is the id of the sweep. Returns the status of the error if an app could not be
/// started, else 130 after an interrupt, which cancels all apps, else the exit status of the first
/// app that did not succeed, else 0. Throws Error kUsage with `events`, and as load_grid() and
/// load_run().
int run_sweep(Invocation& invocation, const RunCommand& command);

}  // namespace slipway::cli
