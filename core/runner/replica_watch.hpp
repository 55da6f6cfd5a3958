// Looks at the replicas of an app while the caller's loop waits for the app.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "core/runner/app_watch.hpp"

namespace slipway {

/// Describes every replica of an app after changes, which is called a look. The first look is 100
/// ms after construction, so that a short app costs nothing. The pauses between looks are at least
/// 100 ms, and so long that looks take at most a twentieth of the time. The caller polls fd() until
/// next_step(), then calls step().
class ReplicaWatch {
 public:
  using Clock = std::chrono::steady_clock;
  /// Returns the time until the next look if nothing changes; nullopt: looks only after a change.
  using OnLook = std::function<std::optional<std::chrono::milliseconds>(const Description&)>;

  /// Borrows `scheduler`, which must outlive this object.
  ReplicaWatch(const registry::PluginScheduler& scheduler, std::string app_id, OnLook on_look);

  /// Returns a descriptor that is readable after a change; -1 while no look is allowed, and before
  /// step() subscribes to changes.
  int fd() const;
  /// Returns the time of the next step() if fd() is not readable earlier; nullopt: the caller waits
  /// only for fd().
  std::optional<Clock::time_point> next_step() const;
  /// Looks if that is allowed and something may have changed, or if `on_look` asked for a look.
  /// Tries again later if the scheduler does not answer or does not know the app. Throws other
  /// Errors of the scheduler.
  void step();

 private:
  /// Returns whether the app may have changed since the last look. Subscribes to changes if
  /// necessary.
  bool has_changed();
  void look();

  const registry::PluginScheduler& scheduler_;
  std::string app_id_;
  OnLook on_look_;
  std::optional<AppWatch> watch_;  // none before the first look, and after an end or an error
  Clock::time_point allowed_at_;   // the earliest time of the next look
  std::optional<Clock::time_point> wanted_at_;  // when `on_look` asked for the next look
};

}  // namespace slipway
