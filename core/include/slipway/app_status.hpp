// The status of an app and its text forms. Functions, names and texts are those of TorchX's
// `AppStatus`.
#pragma once

#include <string>
#include <vector>

#include "slipway/app_handle.hpp"
#include "slipway/status.hpp"

namespace slipway {

/// A status and the handle of its app. Holds plain values; const functions are thread safe.
struct AppStatus {
  AppHandle handle;
  Description description;

  AppState state() const { return description.state; }
  bool is_terminal() const { return slipway::is_terminal(description.state); }

  /// Returns the status as a block of text with the roles in `filter_roles`, or all roles if it is
  /// empty, in the app's order. Sorts the replicas of a role by number and marks replica 0 with
  /// `*`. Shows the exit code, the time (in the local time zone) and the message of a replica's
  /// error file, if that has TorchElastic's format; otherwise the file's text in place of the
  /// message. Shortens the message with reduce_error_message() (core/status) and wraps it.
  std::string format(const std::vector<std::string>& filter_roles = {}) const;

  /// Returns one JSON object: state, num_restarts, roles, msg, structured_error_msg, url. A missing
  /// text is "<NONE>", a missing url is null.
  std::string to_json(const std::vector<std::string>& filter_roles = {}) const;

  /// Throws AppStatusError (slipway/runner_errors.hpp) unless the app SUCCEEDED; also throws for a
  /// running app.
  void raise_for_status() const;
};

/// Returns the status as YAML with sorted keys, as the `repr()` of TorchX's AppStatus does. The
/// app's structured error appears as YAML if it is JSON, otherwise as a string.
std::string to_string(const AppStatus& status);

}  // namespace slipway
