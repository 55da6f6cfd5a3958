// Prepares an app for its submission, for `run`.
#pragma once

#include <optional>
#include <vector>

#include "core/cli/apps/app_source.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/invocation/invocation.hpp"

namespace slipway::cli {

/// Returns the parameters of each app of a sweep, from -P and from the component's file. Returns
/// nothing when the words ask for the component's help, which it prints. Throws as load_sweep(),
/// swept_params() and combinations(), and Error kUsage if no parameter has values or one has the
/// name of a label of a sweep, `sweep` or `sweep-index`.
std::optional<std::vector<StrDict>> load_grid(Invocation& invocation, const RunCommand& command);

/// Loads the app of the command with these arguments of its component. Returns nothing when the
/// words ask for the component's help, which it prints. Throws as load_app().
std::optional<LoadedApp> load_run(Invocation& invocation, const RunCommand& command,
                                  ComponentArguments arguments);

/// A run that is ready to be submitted.
struct PreparedRun {
  AppDryRun dryrun;
  StrDict origins;  ///< of the run options, as in CollectedOptions
};

/// Applies the command's changes to the app, collects the run options and lets the scheduler make
/// the request. Prints warnings for fields that the scheduler ignores, and the place of the copy of
/// the workspace, which Runner::schedule() makes. Throws Error as apply_overrides(), parse_label(),
/// collect_options() and Runner::dryrun().
PreparedRun prepare_run(Invocation& invocation, AppDef app, const AppOrigin& origin,
                        const RunCommand& command);

}  // namespace slipway::cli
