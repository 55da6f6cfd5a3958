// Noticing that an app may have changed.
#pragma once

#include <optional>
#include <string>

#include "core/registry/objects/plugin_scheduler.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway {

/// One descriptor that becomes readable when it is worth asking for the app's description again:
/// from the scheduler's events where it has them; otherwise from a timer, since an engine without
/// events can only be asked.
class AppWatch {
 public:
  /// `scheduler` must outlive the watch. Throws Error kNotFound when there is no such app.
  AppWatch(const registry::PluginScheduler& scheduler, std::string app_id);

  int fd() const;
  /// Makes fd() unreadable until the next change. False: the subscription has ended, most often
  /// because the app has: look at it, and if it goes on renew() and look once more, since what
  /// changed in between is not told.
  bool drain();
  void renew();

 private:
  const registry::PluginScheduler& scheduler_;
  std::string app_id_;
  std::optional<registry::PluginEvents> events_;
  OwnedFd timer_;
};

}  // namespace slipway
