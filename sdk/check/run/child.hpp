// One check in a process of its own.
#pragma once

#include <string>

#include "sdk/check/check.hpp"

namespace slipway::check {

struct Outcome {
  Verdict verdict = Verdict::kPassed;
  std::string saw;     ///< why it failed or was skipped
  std::string remedy;  ///< what to do; empty unless it failed
};

/// Runs `check` in a child with the trial's time limit; whatever the plug-in does there ends there. A crash, a hang and an
/// exit are failures of the check, with the last step of the board and what the child printed last. An app that the
/// check left behind is cancelled. The process must have one thread. `trial.directory` is emptied before.
Outcome run_apart(const Check& check, const Trial& trial);

}  // namespace slipway::check
