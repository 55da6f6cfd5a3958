// A descriptor that reports possible changes of an app.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "core/registry/objects/plugin_scheduler.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway {

/// Has a descriptor that becomes readable when the caller should describe the app again. The
/// descriptor is that of the scheduler's events, or of a timer whose pauses grow from 20 ms to 2 s
/// if the scheduler has no events.
class AppWatch {
 public:
  /// Watches the changes that `scope` selects. Borrows `scheduler`, which must outlive the watch.
  /// Throws the Error of a scheduler that has events, such as kNotFound for an unknown app, and
  /// kUnavailable if no timer is available.
  AppWatch(const registry::PluginScheduler& scheduler, std::string app_id, EventScope scope);

  /// Returns the descriptor, which is readable after a change. Valid until renew().
  int fd() const;
  /// Makes fd() unreadable until the next change. Returns false if the subscription has ended,
  /// mostly because the app has ended. The caller must then describe the app. If the app still
  /// runs, the caller must call renew() and describe it again, because a subscription does not
  /// report earlier changes.
  bool drain();
  /// Starts a new subscription. Throws as the constructor does.
  void renew();

 private:
  void start_timer();

  const registry::PluginScheduler& scheduler_;
  std::string app_id_;
  EventScope scope_;
  std::optional<registry::PluginEvents> events_;
  OwnedFd timer_;
  std::chrono::milliseconds pause_{0};  // until the timer's next event
};

}  // namespace slipway
