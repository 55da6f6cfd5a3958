// The events of an app on standard output.
#pragma once

#include <map>
#include <string>

#include "core/cli/invocation/invocation.hpp"
#include "core/status/app_events.hpp"
#include "slipway/app_handle.hpp"

namespace slipway::cli {

/// Prints a line for each event of an app; with --json, a JSON document for each.
class EventLines {
 public:
  EventLines(Invocation& invocation, const AppHandle& handle);

  /// Prints what `app`, which has every replica, shows and no earlier description showed.
  void print_new(const Description& app);

 private:
  std::string line(const AppEvent& event) const;

  AppHandle handle_;
  bool as_json_;
  std::map<std::string, RetryLimit> limits_;  // by role
  EventReader reader_;
};

}  // namespace slipway::cli
