// The command slipway-plugin-check.
#pragma once

namespace slipway::check {

/// All of it: reads the command line, runs the checks, prints what came of them. Returns the exit status: 0 nothing is
/// wrong, 1 a check failed, 64 wrong use.
int run_kit(int argc, char** argv);

}  // namespace slipway::check
