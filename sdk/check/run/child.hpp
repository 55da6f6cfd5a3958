// Runs a check in its own process.
#pragma once

#include <string>

#include "sdk/check/check.hpp"

namespace slipway::check {

struct Outcome {
  Verdict verdict = Verdict::kPassed;
  std::string seen;    ///< why it failed or was skipped
  std::string remedy;  ///< how to fix it; empty unless it failed
};

/// Runs `check` in a child process with the trial's time limit, which confines the plug-in. A
/// crash, a hang or an exit is a failure of the check; the message names the last step of the
/// progress page and the last line that the child printed. Empties `trial.directory` first, and
/// cancels an app that the check left running. This process must be single-threaded.
Outcome run_in_child(const Check& check, const Trial& trial);

}  // namespace slipway::check
