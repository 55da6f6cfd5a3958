// The command line as a whole.
#pragma once

namespace slipway::cli {

/// Parses the arguments, runs the command and returns the exit status of the contract. Never
/// throws.
int run_command_line(int argc, char** argv);

}  // namespace slipway::cli
