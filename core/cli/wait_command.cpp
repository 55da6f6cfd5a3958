#include <poll.h>

#include <boost/json.hpp>
#include <chrono>
#include <deque>

#include "core/cli/commands.hpp"
#include "core/cli/diagnostics.hpp"
#include "core/cli/exit_status.hpp"
#include "core/cli/handle_argument.hpp"
#include "core/cli/json_output.hpp"
#include "core/cli/lookup.hpp"
#include "core/cli/stream_write.hpp"
#include "core/runner/app_watch.hpp"
#include "core/runner/poll_timeout.hpp"

namespace slipway::cli {

namespace {

using Clock = std::chrono::steady_clock;

struct Awaited {
  AppWatch watch;
  AppStatus status;  ///< of StatusDetail::kApp
  bool reached = false;
};

bool has_reached(AppState state, const std::optional<AppState>& until) {
  if (is_terminal(state)) return true;
  return until && state == *until;
}

void look_at(Invocation& invocation, Awaited& app, const std::optional<AppState>& until) {
  const AppHandle handle = app.status.handle;
  auto status = invocation.runner().status(handle, StatusDetail::kApp);
  if (!status)
    throw Error(Code::kNotFound,
                "the app " + to_string(handle) + " is gone: its record was deleted");
  app.status = std::move(*status);
  app.reached = has_reached(app.status.description.state, until);
}

/// False when the time ran out.
bool wait_for(Invocation& invocation, std::deque<Awaited>& apps,
              const std::optional<AppState>& until, bool any,
              const std::optional<Clock::time_point>& deadline) {
  while (true) {
    std::vector<pollfd> fds;
    std::vector<Awaited*> open;
    bool one_reached = false;
    for (Awaited& app : apps) {
      one_reached = one_reached || app.reached;
      if (app.reached) continue;
      fds.push_back({app.watch.fd(), POLLIN, 0});
      open.push_back(&app);
    }
    if (open.empty() || (any && one_reached)) return true;
    const int timeout = poll_timeout(deadline);
    ::poll(fds.data(), fds.size(), timeout);
    bool changed = false;
    for (std::size_t i = 0; i < fds.size(); ++i) {
      if (fds[i].revents == 0) continue;
      changed = true;
      const bool watching = open[i]->watch.drain();
      look_at(invocation, *open[i], until);
      if (watching || open[i]->reached) continue;
      open[i]->watch.renew();
      look_at(invocation, *open[i], until);
    }
    if (!changed && timeout == 0) return false;
  }
}

/// What one app adds to the exit status: nothing when it got where it was wanted.
int status_of(const AppStatus& status, const std::optional<AppState>& until) {
  const AppState state = status.description.state;
  if (until && (state == *until || (*until == AppState::kRunning && state == AppState::kSucceeded)))
    return kExitOk;
  return is_terminal(state) ? exit_status(status.description) : kExitOk;
}

}  // namespace

int wait(Invocation& invocation, const WaitCommand& command) {
  std::optional<AppState> until;
  if (!command.until.empty()) until = parse_state("--for", command.until);
  std::optional<Clock::time_point> deadline;
  if (command.timeout_s) {
    const std::chrono::duration<double> timeout(*command.timeout_s);
    deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(timeout);
  }
  std::deque<Awaited> apps;
  for (const std::string& text : command.handles) {
    const AppHandle handle = find_app(invocation, text);
    AppStatus status = existing_app(invocation, handle, StatusDetail::kApp);
    const bool reached = has_reached(status.description.state, until);
    const auto& scheduler = invocation.runner().scheduler(handle.scheduler, handle.session);
    apps.push_back({AppWatch(scheduler, handle.app_id), std::move(status), reached});
    // looked at once more now that changes are watched, so that none falls in between
    if (!reached) look_at(invocation, apps.back(), until);
  }
  const bool in_time = wait_for(invocation, apps, until, command.any, deadline);
  boost::json::array document;
  int result = in_time ? kExitOk : kExitTimeout;
  bool spoken = false;  // with --any, the first app that got there speaks for all
  for (const Awaited& app : apps) {
    const AppStatus status = as_told(invocation, app.status);
    if (invocation.json()) document.push_back(status_json(status));
    const bool counts = app.reached && !(command.any && spoken);
    if (counts && result == kExitOk) result = status_of(status, until);
    spoken = spoken || counts;
    if (!invocation.json()) {
      write_output(to_string(status.handle) + " " +
                   std::string(to_string(status.description.state)) + "\n");
    }
  }
  if (invocation.json()) write_json(document);
  if (!in_time) say(LogLevel::kWarning, "the time ran out before the wait was over");
  return result;
}

}  // namespace slipway::cli
