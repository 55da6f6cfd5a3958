#include "core/cli/apps/awaited_apps.hpp"

#include <poll.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

#include "core/runner/poll_timeout.hpp"
#include "slipway/runner_errors.hpp"

namespace slipway::cli {

using Clock = std::chrono::steady_clock;

namespace {

/// The descriptors that a wait polls. Leaves out negative ones, which poll(2) ignores but counts
/// against the limit of open files.
class PolledFds {
 public:
  /// Returns the place of the descriptor for has_event().
  std::size_t add(int fd) {
    if (fd < 0) return kNotPolled;
    fds_.push_back({fd, POLLIN, 0});
    return fds_.size() - 1;
  }
  /// Waits for an event, a signal or the timeout.
  void poll(int timeout_ms) {
    ready_ = ::poll(fds_.data(), static_cast<nfds_t>(fds_.size()), timeout_ms);
    if (ready_ < 0 && errno != EINTR) {
      throw Error(Code::kInternal,
                  std::string("cannot wait for events of apps: ") + std::strerror(errno));
    }
  }
  bool has_event(std::size_t place) const {
    return ready_ > 0 && place != kNotPolled && fds_[place].revents != 0;
  }

 private:
  static constexpr std::size_t kNotPolled = static_cast<std::size_t>(-1);
  std::vector<pollfd> fds_;
  int ready_ = 0;
};

}  // namespace

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
    PolledFds fds;
    std::vector<std::pair<AwaitedApp*, std::size_t>> waiting;  // with the place in `fds`
    bool one_reached = false;
    Deadline wake = deadline;
    for (AwaitedApp& app : apps_) {
      if (app.failure) return WaitEnd::kFailed;
      one_reached = one_reached || app.reached;
      if (app.reached) continue;
      waiting.emplace_back(&app, fds.add(app.watch.fd()));
      wake = earliest(wake, app.watch.next_query());
    }
    if (waiting.empty() || (apps == WaitFor::kOne && one_reached)) return WaitEnd::kReached;
    if (deadline && Clock::now() >= *deadline) return WaitEnd::kDeadline;
    const std::size_t interrupt = fds.add(interrupt_fd);
    fds.poll(poll_timeout(wake));
    if (fds.has_event(interrupt)) return WaitEnd::kInterrupted;
    for (const auto& [app, place] : waiting) {
      try {
        const bool has_changed = fds.has_event(place);
        if (has_changed) app->watch.drain();
        // During an outage, which drain() may have started, only the time of the next query counts.
        const auto next = app->watch.next_query();
        if (next ? Clock::now() >= *next : has_changed) look_at(*app);
      } catch (const Error& error) {
        app->failure = error;
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
