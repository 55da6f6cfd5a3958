// Asking about one app again and again, also while its scheduler does not answer.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/registry/objects/plugin_scheduler.hpp"
#include "core/runner/app_watch.hpp"

namespace slipway {

/// Follows the state of an app for a command that waits. An engine that is restarted, or does not
/// answer for an hour, ends no wait: a question that fails with kTemporary is asked again, after
/// pauses that grow from 1 s to 30 s. `log` gets one warning when answers stop and one line when
/// they are back.
class SteadyLook {
 public:
  using Log = std::function<void(LogLevel level, const std::string& message)>;

  /// `scheduler` must outlive this object.
  SteadyLook(const registry::PluginScheduler& scheduler, std::string app_id, Log log);

  struct Answer {
    bool came = true;                        ///< false: the scheduler is silent; ask again later
    std::optional<Description> description;  ///< nothing: there is no such app
  };
  /// Describes the app. A change that comes after a look makes fd() readable. Throws what the
  /// scheduler throws, but for kTemporary.
  Answer look();

  /// What to poll before the next look(); -1: nothing, wait for next_look() alone.
  int fd() const;
  /// The time of the next look, however quiet fd() is; none: fd() decides.
  std::optional<std::chrono::steady_clock::time_point> next_look() const;
  /// Must be called when fd() is readable, before the next look().
  void drain();

 private:
  void subscribe();
  void fall_silent(const std::string& why);

  const registry::PluginScheduler& scheduler_;
  std::string app_id_;
  Log log_;
  std::optional<AppWatch> watch_;
  bool is_watching_ = false;
  std::optional<std::chrono::milliseconds> pause_;  // while the scheduler is silent
  std::chrono::steady_clock::time_point next_look_;
};

}  // namespace slipway
