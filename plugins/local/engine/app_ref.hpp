// The place of an app's record, and the names that may become part of its path.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sdk/support/ownership.hpp"
#include "slipway/error.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// The file of a record with the app as it was submitted. Every record has one, and no process
/// changes it.
inline constexpr char kSpecName[] = "spec.json";

/// Names the directory of one app, `<state_root>/<session>/<app_id>`. `state_root` is absolute.
/// `session` and `app_id` come from handles and are untrusted: every function that opens a record
/// checks them.
struct AppRef {
  std::string state_root;
  std::string session;
  std::string app_id;
};

/// Returns whether `name` can be one part of a path and differs from the engine's own names:
/// not empty, at most 255 bytes, without `/` and NUL, and without a leading `.`. An app whose
/// session or id is not a safe name does not exist; launch_app() throws kInvalid for it.
bool is_safe_name(std::string_view name);

/// Returns `<state_root>/<session>/<app_id>`, for messages and the helper's command line. Checks
/// nothing.
std::string app_dir_path(const AppRef& app);

/// Returns the error kNotFound for `app`.
Error no_such_app(const AppRef& app);

/// Returns the first characters of the names of all drafts of this machine. A launch removes the
/// drafts that dead processes of its own machine left. It leaves those of another machine alone,
/// because it cannot see their locks.
std::string draft_prefix();

/// Returns the name of the directory, beside the record, in which Slipway makes or removes the
/// record of an app. If the name would be too long for a file, it has only the end of the app id,
/// which differs between apps.
std::string draft_name(const std::string& app_id);

/// The directory of an app's record.
struct AppDir {
  OwnedFd fd;         ///< O_PATH; empty: no such app
  Distrust distrust;  ///< why the caller may only read the record, if it may not act on it
  /// The user who owns the directory, if the caller may only read the record.
  std::optional<std::uint32_t> other_owner;

  int get() const { return fd.get(); }
  explicit operator bool() const { return static_cast<bool>(fd); }
};

/// Returns whether the record `dir_fd` still has its name: another command may have removed it
/// meanwhile. True if that cannot be found out.
bool is_in_place(const AppRef& app, int dir_fd);

/// Opens the app's directory for a caller that only reads. Follows no symbolic link below the state
/// root. Returns an empty AppDir if the app does not exist. Root may read the records of all users;
/// for any other caller, throws kDenied for a directory that belongs to another user or that other
/// users may write to. Throws kDenied or kUnavailable if it cannot open the directory.
AppDir open_app_dir_to_read(const AppRef& app);

/// Opens the app's directory for a caller that acts on the record: it starts, cancels or deletes
/// the app, or talks to the supervisor. Differs from open_app_dir_to_read() for root: it throws
/// kDenied for a record that another user can write, because the programs in it would run as root.
OwnedFd open_app_dir(const AppRef& app);

}  // namespace slipway::local
