#include <poll.h>

#include <boost/json.hpp>
#include <chrono>
#include <deque>

#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/apps/app_selection.hpp"
#include "core/cli/apps/foreground.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/cli/terminal/time_limit.hpp"
#include "core/runner/poll_timeout.hpp"
#include "core/runner/status_watch.hpp"
#include "slipway/runner_errors.hpp"

namespace slipway::cli {

namespace {

using Clock = std::chrono::steady_clock;

struct Awaited {
  StatusWatch watch;
  AppStatus status;      ///< of StatusDetail::kApp
  bool is_seen = false;  ///< the scheduler has described the app
  bool reached = false;
};

bool has_reached(const Description& app, const std::optional<AppState>& until) {
  return is_over(app) || (until && app.state == *until);
}

/// Queries the app for the first time. A scheduler that does not answer leaves it UNKNOWN, so a
/// wait may start during an outage of the scheduler.
Awaited first_look(Invocation& invocation, const AppHandle& handle,
                   const std::optional<AppState>& until) {
  AppStatus status;
  status.handle = handle;
  status.description.state = AppState::kUnknown;
  bool is_seen = false;
  try {
    status = existing_app(invocation, handle, StatusDetail::kApp);
    is_seen = true;
  } catch (const Error& error) {
    if (error.code() != Code::kTemporary) throw;
  }
  const bool reached = is_seen && has_reached(status.description, until);
  return {invocation.runner().watch_status(handle), std::move(status), is_seen, reached};
}

void look_at(Awaited& app, const std::optional<AppState>& until) {
  StatusWatch::Answer answer = app.watch.query();
  if (!answer.is_available) return;
  if (!answer.description && !app.is_seen) throw UnknownApp(app.status.handle);
  if (!answer.description)
    throw Error(Code::kNotFound,
                "the app " + to_string(app.status.handle) + " is gone: its record was deleted");
  app.is_seen = true;
  app.status.description = std::move(*answer.description);
  app.reached = has_reached(app.status.description, until);
}

/// Waits until the apps, or one with `any`, have reached the state. Returns false at the deadline.
bool wait_for(std::deque<Awaited>& apps, const std::optional<AppState>& until, bool any,
              const std::optional<Clock::time_point>& deadline) {
  while (true) {
    std::vector<pollfd> fds;
    std::vector<Awaited*> open;
    bool one_reached = false;
    std::optional<Clock::time_point> wake = deadline;
    for (Awaited& app : apps) {
      one_reached = one_reached || app.reached;
      if (app.reached) continue;
      fds.push_back({app.watch.fd(), POLLIN, 0});
      open.push_back(&app);
      wake = earliest(wake, app.watch.next_query());
    }
    if (open.empty() || (any && one_reached)) return true;
    if (deadline && Clock::now() >= *deadline) return false;
    const int ready = ::poll(fds.data(), fds.size(), poll_timeout(wake));
    for (std::size_t i = 0; i < fds.size(); ++i) {
      const auto next = open[i]->watch.next_query();
      const bool is_due = next && Clock::now() >= *next;
      const bool has_changed = ready > 0 && fds[i].revents != 0;
      if (has_changed) open[i]->watch.drain();
      if (has_changed || is_due) look_at(*open[i], until);
    }
  }
}

/// Returns the exit status for one app; kExitOk if it reached the state that --for names.
int status_of(const AppStatus& status, const std::optional<AppState>& until) {
  const AppState state = status.description.state;
  if (until && (state == *until || (*until == AppState::kRunning && state == AppState::kSucceeded)))
    return kExitOk;
  if (!is_over(status.description)) return kExitTemporary;  // it runs again after the wait
  return exit_status(status.description);
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
    // The last query may start just before the end of the wait, so its call may last longer. The
    // runner sets a limit of its own, so it comes first.
    invocation.runner();
    start_time_limit(timeout + invocation.plugin_timeout());
    deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(timeout);
  }
  std::deque<Awaited> apps;
  for (const AppHandle& handle : chosen_apps(invocation, command.apps, SelectedApps::kActive)) {
    apps.push_back(first_look(invocation, handle, until));
    // Looks again now that changes are watched, so that it misses none in between.
    if (!apps.back().reached) look_at(apps.back(), until);
  }
  const bool in_time = wait_for(apps, until, command.any, deadline);
  boost::json::array document;
  int result = in_time ? kExitOk : kExitTimeout;
  bool decided = false;  // with --any, the first app that reached the state decides the exit status
  for (const Awaited& app : apps) {
    const AppStatus status = status_to_report(invocation, app.status);
    if (invocation.json()) document.push_back(status_json(status));
    const bool counts = app.reached && !(command.any && decided);
    if (counts && result == kExitOk) result = status_of(status, until);
    if (counts) warn_of_unknown_end(status);
    decided = decided || counts;
    if (!invocation.json()) {
      write_output(to_string(status.handle) + " " +
                   std::string(to_string(status.description.state)) + "\n");
    }
  }
  if (invocation.json()) write_json(document);
  if (!in_time) say(LogLevel::kWarning, "the timeout ended the wait");
  return result;
}

}  // namespace slipway::cli
