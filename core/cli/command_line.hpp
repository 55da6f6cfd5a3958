// The program `slipway` as a function.
#pragma once

namespace slipway::cli {

/// Parses the arguments, runs the command, reports failures, and returns the exit status
/// (terminal/exit_status.hpp). Throws nothing. Must be called only once per process.
int run_command_line(int argc, char** argv);

}  // namespace slipway::cli
