// The events of an app on standard output.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "core/cli/apps/wait_lines.hpp"
#include "core/cli/invocation/invocation.hpp"
#include "core/status/app_events.hpp"
#include "slipway/app_handle.hpp"

namespace slipway::cli {

/// Prints a line for each event of an app; with --json, a JSON document for each.
class EventLines {
 public:
  EventLines(Invocation& invocation, const AppHandle& handle);
  EventLines(const EventLines&) = delete;
  EventLines& operator=(const EventLines&) = delete;

  /// Prints what `app`, which has every replica, shows and no earlier description showed.
  void print_new(const Description& app);

  /// Prints what replicas of `app`, which has every replica, have waited for since a second.
  /// Returns the time until the next wait is due, or nothing when none is pending.
  std::optional<std::chrono::milliseconds> print_waits(const Description& app) {
    return waits_.look(app);
  }

  /// Does the same for the app itself, and prints the end of its wait.
  std::optional<std::chrono::milliseconds> print_message(const Description& app) {
    return message_.look(app);
  }

 private:
  std::string line(const AppEvent& event) const;
  std::string line(const Wait& wait) const;

  AppHandle handle_;
  bool as_json_;
  std::map<std::string, RetryLimit> limits_;  // by role
  EventReader reader_;
  ReplicaWaits waits_;
  AppMessage message_;
};

}  // namespace slipway::cli
