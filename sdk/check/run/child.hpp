// Runs a check in its own process, or in this one.
#pragma once

#include "sdk/check/run/stop_signals.hpp"
#include "sdk/check/trial/check.hpp"

namespace slipway::check {

/// Runs `check` in a child process, which confines the plug-in, with the trial's time limit. A
/// crash, a hang or an exit is a failure of the check; the message names the last step of the
/// progress page and the last line that the child printed. Empties `trial.directory` first.
/// Afterwards cancels an app that the check left running, and ends the processes that the plug-in
/// left. If a signal of `stop` arrives, ends the child, cleans up the same way, and throws
/// Interrupted. Throws NoResources if the machine lacks a process or descriptors. This process must
/// be single-threaded.
Outcome run_in_child(const Check& check, const Trial& trial, const StopSignals& stop);

/// Runs `check` in this process, without a time limit. A crash or hang of the plug-in is one of
/// this process. Also empties the directory first, and afterwards cancels an app that the check
/// left running. Processes that the plug-in left continue.
Outcome run_here(const Check& check, const Trial& trial);

}  // namespace slipway::check
