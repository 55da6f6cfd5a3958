// Accepts options as TorchX's command spells them.
#pragma once

#include <string>
#include <vector>

#include "core/cli/options/cli11_names.hpp"

namespace slipway::cli {

/// Returns the arguments with Slipway's spelling of TorchX's options: `-cfg` and `--scheduler_args`
/// become `--cfg`, `--tee_logs` becomes `--log`, `--streams` becomes `--stream`, and `_` in the
/// name of an option becomes `-`. Changes a name only if the called command does not have it and
/// has the new one. Changes nothing after the name of a component or after `--`. `app` is the
/// parser, which knows the options.
std::vector<std::string> with_known_options(const CLI::App& app,
                                            const std::vector<std::string>& arguments);

}  // namespace slipway::cli
