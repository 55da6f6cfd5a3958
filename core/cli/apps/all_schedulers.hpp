// The common part of commands that query all schedulers.
#pragma once

#include <string>
#include <vector>

#include "core/cli/terminal/diagnostics.hpp"
#include "slipway/runner.hpp"

namespace slipway::cli {

/// Returns the names of all schedulers. Throws Error(kUnavailable) if there are none.
inline std::vector<std::string> schedulers_or_throw(Runner& runner) {
  std::vector<std::string> names = runner.scheduler_backends();
  if (!names.empty()) return names;
  throw Error(Code::kUnavailable, "no plug-in provides a scheduler",
              "`slipway plugin doctor` shows why");
}

/// Returns a sentence about the failed query of a scheduler.
inline std::string failed_query(const std::string& scheduler, const Error& error) {
  return scheduler + " could not be queried: " + error.message();
}

/// Returns whether the scheduler's engine, such as Slurm, is not installed on this machine, which
/// is usual. Then the scheduler has no apps here.
template <class Answer>
bool is_absent(const SchedulerAnswer<Answer>& answer) {
  return answer.error && answer.error->code() == Code::kPrecondition;
}

/// Prints a warning if the scheduler gave no answer, unless that was logged already.
template <class Answer>
void warn_if_failed(const SchedulerAnswer<Answer>& answer) {
  if (answer.error && !answer.is_logged)
    say(LogLevel::kWarning, failed_query(answer.scheduler, *answer.error));
}

}  // namespace slipway::cli
