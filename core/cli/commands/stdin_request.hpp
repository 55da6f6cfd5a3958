// `run --stdin`: the command from TorchX's JSON run arguments.
#pragma once

#include "core/cli/commands/commands.hpp"

namespace slipway::cli {

/// `command` with what the JSON on standard input asks for: component, its arguments, scheduler and
/// run options; `--dryrun`, `--wait` and `--log` of either count. Throws InvalidApp for JSON that
/// is no such request.
RunCommand read_request(RunCommand command);

}  // namespace slipway::cli
