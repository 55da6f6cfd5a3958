#include <boost/json.hpp>
#include <chrono>

#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/apps/app_selection.hpp"
#include "core/cli/apps/awaited_apps.hpp"
#include "core/cli/apps/foreground.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/cli/terminal/time_limit.hpp"

namespace slipway::cli {

namespace {

using Clock = std::chrono::steady_clock;

/// Returns the exit status for an app that the wait saw in the state `seen`; kExitOk if --for names
/// that state. `now` is the app's description after the wait.
int status_of(AppState seen, const Description& now, const std::optional<AppState>& until) {
  // An app that succeeded was running before.
  if (until && (seen == *until || (*until == AppState::kRunning && seen == AppState::kSucceeded)))
    return kExitOk;
  if (!is_over(now)) return kExitTemporary;  // a retry started after the wait
  return exit_status(now);
}

/// Returns the app with the details that a report needs, or as the wait saw it last if its
/// scheduler does not give them.
AppStatus report_of(Invocation& invocation, const AwaitedApp& app) {
  try {
    return status_to_report(invocation, app.status);
  } catch (const Error& error) {
    say(LogLevel::kWarning,
        to_string(app.status.handle) + " is reported without its replicas: " + error.message());
    return app.status;
  }
}

}  // namespace

int wait(Invocation& invocation, const WaitCommand& command) {
  std::optional<AppState> until;
  if (!command.until.empty()) until = parse_state("--for", command.until);
  std::optional<Clock::time_point> deadline;
  const std::optional<double> timeout_s =
      command.timeout_s ? command.timeout_s : invocation.options().timeout_s;
  if (timeout_s) {
    const std::chrono::duration<double> timeout(*timeout_s);
    // The last query may start just before the end of the wait, so calls have a later limit. The
    // constructor of the runner sets the limit of --timeout, so this limit must be set after it.
    invocation.runner();
    start_time_limit(timeout + invocation.plugin_timeout());
    deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(timeout);
  }
  const ChosenApps chosen = chosen_apps(invocation, command.apps, SelectedApps::kActive);
  const int not_queried = report_failures(chosen.failures, !chosen.apps.empty());
  AwaitedApps awaited(invocation, until);
  for (const AppHandle& handle : chosen.apps) awaited.add(handle);
  const WaitFor apps = command.any ? WaitFor::kOne : WaitFor::kAll;
  const WaitEnd end = awaited.wait(apps, deadline);
  if (end == WaitEnd::kFailed) {
    for (const AwaitedApp& app : awaited.apps())
      if (app.failure) throw Error(*app.failure);
  }
  const bool in_time = end == WaitEnd::kReached;
  boost::json::array document;
  int result = in_time ? kExitOk : kExitTimeout;
  bool decided = false;  // with --any, the first app that reached the state decides the exit status
  for (const AwaitedApp& app : awaited.apps()) {
    const AppStatus status = report_of(invocation, app);
    if (invocation.json()) document.push_back(status_json(status));
    const bool decides = app.reached && !(command.any && decided);
    if (decides && result == kExitOk) {
      result = status_of(app.status.description.state, status.description, until);
    }
    if (decides) warn_of_unknown_end(status);
    decided = decided || decides;
    if (!invocation.json()) {
      write_output(to_string(status.handle) + " " +
                   std::string(to_string(status.description.state)) + "\n");
    }
  }
  if (invocation.json()) write_json(document);
  if (!in_time) say(LogLevel::kWarning, "the timeout ended the wait");
  // With --any, the first app decides alone.
  return result != kExitOk || command.any ? result : not_queried;
}

}  // namespace slipway::cli
