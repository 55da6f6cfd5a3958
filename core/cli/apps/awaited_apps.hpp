// Apps that a command waits for.
#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <vector>

#include "core/cli/invocation/invocation.hpp"
#include "core/runner/status_watch.hpp"
#include "slipway/error.hpp"

namespace slipway::cli {

struct AwaitedApp {
  StatusWatch watch;
  AppStatus status;      ///< of StatusDetail::kApp
  bool is_seen = false;  ///< the scheduler has described the app
  bool reached = false;  ///< the app has ended, or was in the awaited state
  /// Set if the state cannot be known any more, for example because the app's record was deleted.
  std::optional<Error> failure = std::nullopt;
};

/// Whether a wait ends when all apps, or when one of them has reached the awaited state.
enum class WaitFor { kAll, kOne };

/// How a wait ended. kFailed: an app has a `failure`.
enum class WaitEnd { kReached, kDeadline, kInterrupted, kFailed };

/// Waits for apps, also while their schedulers do not answer.
class AwaitedApps {
 public:
  using Deadline = std::optional<std::chrono::steady_clock::time_point>;

  /// The awaited state of each app is its end or, with `until`, also that state. Borrows
  /// `invocation`.
  explicit AwaitedApps(Invocation& invocation, std::optional<AppState> until = std::nullopt);

  /// Adds an app. Throws Error kNotFound if it does not exist, and the errors of its scheduler
  /// except kTemporary.
  void add(const AppHandle& handle);

  /// Waits until the apps have reached the awaited state, until one of them has a failure, until
  /// the deadline, or until `interrupt_fd` is readable (-1: never).
  WaitEnd wait(WaitFor apps, const Deadline& deadline, int interrupt_fd = -1);

  const std::deque<AwaitedApp>& apps() const { return apps_; }
  /// Removes and returns the apps that have reached the awaited state or have a failure.
  std::vector<AwaitedApp> take_done();

 private:
  bool has_reached(const Description& app) const;
  /// Queries the status of the app. Throws as add().
  void look_at(AwaitedApp& app);

  Invocation& invocation_;
  std::optional<AppState> until_;
  std::deque<AwaitedApp> apps_;
};

}  // namespace slipway::cli
