// Follows the state of one app, also through outages of its scheduler.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "core/registry/objects/plugin_scheduler.hpp"
#include "core/runner/app_watch.hpp"
#include "core/runner/outage.hpp"

namespace slipway {

/// Follows the state of an app for a command that waits. An outage of the scheduler does not end
/// the wait: after a query or a subscription that fails with kTemporary, the next query follows
/// after a pause of Outage.
class StatusWatch {
 public:
  /// Borrows `scheduler`, which must outlive this object.
  StatusWatch(const registry::PluginScheduler& scheduler, std::string app_id, Outage::Log log);

  struct Answer {
    bool is_available = true;                ///< false: the scheduler did not answer; query again
    std::optional<Description> description;  ///< nullopt for an unknown app
  };
  /// Describes the app. A later change makes fd() readable. Throws the Errors of the scheduler
  /// except kTemporary.
  Answer query();

  /// Returns the descriptor to poll before the next query(). Returns -1 during an outage, and while
  /// there is no subscription.
  int fd() const;
  /// Returns the time of the next query() during an outage, otherwise nullopt.
  std::optional<std::chrono::steady_clock::time_point> next_query() const {
    return outage_.next_query();
  }
  /// Must be called when fd() is readable, before the next query(). May start an outage.
  void drain();

 private:
  void subscribe();

  const registry::PluginScheduler& scheduler_;
  std::string app_id_;
  std::optional<AppWatch> watch_;
  bool is_watching_ = false;  // `watch_` has a subscription that has not ended
  Outage outage_;
};

}  // namespace slipway
