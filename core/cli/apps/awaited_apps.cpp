#include "core/cli/apps/awaited_apps.hpp"

#include <poll.h>

#include <utility>

#include "core/runner/poll_timeout.hpp"
#include "slipway/runner_errors.hpp"

namespace slipway::cli {

using Clock = std::chrono::steady_clock;

AwaitedApps::AwaitedApps(Invocation& invocation, std::optional<AppState> until)
    : invocation_(invocation), until_(until) {}

bool AwaitedApps::has_reached(const Description& app) const {
  return is_over(app) || (until_ && app.state == *until_);
}

void AwaitedApps::add(const AppHandle& handle) {
  AppStatus status;
  status.handle = handle;
  status.description.state = AppState::kUnknown;  // until its scheduler answers
  AwaitedApp app{invocation_.runner().watch_status(handle), std::move(status)};
  look_at(app);
  apps_.push_back(std::move(app));
}

void AwaitedApps::look_at(AwaitedApp& app) {
  StatusWatch::Answer answer = app.watch.query();
  if (!answer.is_available) return;
  if (!answer.description && !app.is_seen) throw UnknownApp(app.status.handle);
  if (!answer.description)
    throw Error(Code::kNotFound,
                "the app " + to_string(app.status.handle) + " is gone: its record was deleted");
  app.is_seen = true;
  app.status.description = std::move(*answer.description);
  app.reached = has_reached(app.status.description);
}

WaitEnd AwaitedApps::wait(WaitFor apps, const Deadline& deadline, int interrupt_fd) {
  while (true) {
    std::vector<pollfd> fds;
    std::vector<AwaitedApp*> waiting;
    bool one_reached = false;
    Deadline wake = deadline;
    for (AwaitedApp& app : apps_) {
      if (app.failure) return WaitEnd::kFailed;
      one_reached = one_reached || app.reached;
      if (app.reached) continue;
      fds.push_back({app.watch.fd(), POLLIN, 0});
      waiting.push_back(&app);
      wake = earliest(wake, app.watch.next_query());
    }
    if (waiting.empty() || (apps == WaitFor::kOne && one_reached)) return WaitEnd::kReached;
    if (deadline && Clock::now() >= *deadline) return WaitEnd::kDeadline;
    fds.push_back({interrupt_fd, POLLIN, 0});
    const int ready = ::poll(fds.data(), fds.size(), poll_timeout(wake));
    if (ready > 0 && fds.back().revents != 0) return WaitEnd::kInterrupted;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      const bool has_changed = ready > 0 && fds[i].revents != 0;
      if (has_changed) waiting[i]->watch.drain();
      // During an outage, which drain() may have started, only the time of the next query counts.
      const auto next = waiting[i]->watch.next_query();
      if (next ? Clock::now() < *next : !has_changed) continue;
      try {
        look_at(*waiting[i]);
      } catch (const Error& error) {
        waiting[i]->failure = error;
      }
    }
  }
}

std::vector<AwaitedApp> AwaitedApps::take_done() {
  std::vector<AwaitedApp> out;
  std::deque<AwaitedApp> rest;
  for (AwaitedApp& app : apps_) {
    if (app.reached || app.failure) {
      out.push_back(std::move(app));
    } else {
      rest.push_back(std::move(app));
    }
  }
  apps_ = std::move(rest);
  return out;
}

}  // namespace slipway::cli
