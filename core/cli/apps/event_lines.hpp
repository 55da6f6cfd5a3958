// Prints the events and waits of an app, as lines or as JSON documents.
#pragma once

#include <boost/json.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/cli/apps/retry_limits.hpp"
#include "core/cli/apps/wait_lines.hpp"
#include "core/cli/invocation/invocation.hpp"
#include "core/status/app_events.hpp"
#include "slipway/app_handle.hpp"

namespace slipway::cli {

/// Prints a line for each event and wait of an app; with --json, a JSON document for each. Borrows
/// the invocation.
class EventLines {
 public:
  using Write = std::function<void(std::string_view)>;

  /// For all events and waits, on standard output.
  EventLines(Invocation& invocation, const AppHandle& handle);
  /// For failures and waits between the lines of the logs: passes each text, with its newline, to
  /// `write`. JSON documents also have the keys `stream` and `line`, as null, so that they have
  /// every key of a line of the logs. `filter` chooses the replicas.
  EventLines(Invocation& invocation, const AppHandle& handle, const ReplicaFilter& filter,
             Write write);
  EventLines(const EventLines&) = delete;
  EventLines& operator=(const EventLines&) = delete;

  /// Prints the events that `app` shows and no earlier description showed. `app` must have every
  /// replica.
  void print_new(const Description& app);

  /// Treats the events that `app` shows as printed.
  void skip(const Description& app) { reader_.read(app); }

  /// Prints each wait of a replica that has lasted for a second. `app` must have every replica.
  /// Returns the time until the next wait is due, or nothing if none is pending.
  std::optional<std::chrono::milliseconds> print_waits(const Description& app) {
    return waits_.look(app);
  }

  /// Prints the app's own message, such as the GPUs that it waits for, when the app has had one for
  /// a second, and then when it has none any more. Does not print a message that replaces a printed
  /// one. Returns the time until the message is due, or nothing if no message is pending.
  std::optional<std::chrono::milliseconds> print_message(const Description& app) {
    return message_.look(app);
  }

 private:
  EventLines(Invocation& invocation, const AppHandle& handle, bool is_among_lines,
             ReplicaFilter filter, Write write);
  bool wants(const AppEvent& event) const;
  std::string line(const AppEvent& event);
  std::string line(const Wait& wait) const;
  boost::json::object document(TimeNs time, const char* event, AppState state,
                               const std::string& text) const;

  AppHandle handle_;
  bool as_json_;
  bool is_among_lines_;  // the documents stand between lines of the logs
  ReplicaFilter filter_;
  Write write_;
  RetryLimits limits_;
  EventReader reader_;
  ReplicaWaits waits_;
  AppMessage message_;
};

}  // namespace slipway::cli
