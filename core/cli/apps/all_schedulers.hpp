// The names of schedulers, and the common part of commands that query all of them.
#pragma once

#include <string>
#include <vector>

#include "core/cli/terminal/diagnostics.hpp"
#include "core/registry/objects/plugin_scheduler.hpp"
#include "slipway/runner.hpp"

namespace slipway::cli {

/// Returns the names of all schedulers. Throws Error(kUnavailable) if there are none.
inline std::vector<std::string> schedulers_or_throw(Runner& runner) {
  std::vector<std::string> names = runner.scheduler_backends();
  if (!names.empty()) return names;
  throw Error(Code::kUnavailable, "no plug-in provides a scheduler",
              "`slipway plugin doctor` shows why");
}

/// Returns the name of the scheduler behind the alias `default`, other names unchanged. Settings,
/// locks and handles have this name: the alias may later mean another scheduler.
inline std::string real_scheduler(Runner& runner, const std::string& name) {
  return name == kDefaultSchedulerAlias ? runner.scheduler(name, runner.session()).name() : name;
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
