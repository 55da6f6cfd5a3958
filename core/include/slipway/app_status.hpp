// An app as its scheduler describes it, and how that is shown. Functions, words and texts are those of TorchX's
// `AppStatus`.
#pragma once

#include <string>
#include <vector>

#include "slipway/app_handle.hpp"
#include "slipway/status.hpp"

namespace slipway {

/// A status with the handle it was asked by. Plain values; the functions are thread safe on a const object.
struct AppStatus {
  AppHandle handle;
  Description description;

  AppState state() const { return description.state; }
  bool is_terminal() const { return slipway::is_terminal(description.state); }

  /// The status as a block of text. `filter_roles` leaves only these roles, in the app's order; empty: all of them. The
  /// replicas of a role are sorted by number, and a `*` stands before its replica 0. What a replica left in its error
  /// file is shown with its exit code, its time (in the local time zone) and its message, reduced by
  /// reduce_error_message() (core/status) and broken into lines; an error file of another shape is shown as it is.
  std::string format(const std::vector<std::string>& filter_roles = {}) const;

  /// One JSON object: state, num_restarts, roles, msg, structured_error_msg, url. Texts that are missing are "<NONE>",
  /// a missing url is null.
  std::string to_json(const std::vector<std::string>& filter_roles = {}) const;

  /// Throws AppStatusError (slipway/runner_errors.hpp) unless the app has SUCCEEDED. An app that still runs has not.
  void raise_for_status() const;
};

/// The status as YAML with sorted keys, as Python's repr() shows it; structured errors are taken apart.
std::string to_string(const AppStatus& status);

}  // namespace slipway
