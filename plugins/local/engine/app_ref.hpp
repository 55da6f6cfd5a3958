// Where an app's record lies, and the rule for names that become paths.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Names one app's directory, `<state_root>/<session>/<app_id>`. `state_root` is absolute; the
/// other two come from handles and are hostile until a function below or in the other headers has
/// checked them.
struct AppRef {
  std::string state_root;
  std::string session;
  std::string app_id;
};

/// True when `name` can be one component of a path and is none of the engine's own names: not
/// empty, at most 255 bytes, no `/` and no NUL, no leading `.`. Every function that takes an AppRef
/// treats an app whose session or id is not a safe name as one that does not exist (launch_app
/// refuses it: kInvalid).
bool is_safe_name(std::string_view name);

/// `<state_root>/<session>/<app_id>`, for messages and the helper's command line. Does not check
/// anything.
std::string app_dir_path(const AppRef& app);

/// What the names of all drafts of this machine begin with. A launch removes the drafts that dead
/// processes of its machine left; it cannot see the locks of another machine's drafts.
std::string draft_prefix();

/// The name under which the record of an app is put together and taken apart, beside its place; cut
/// when it would be too long for a file name.
std::string draft_name(const std::string& app_id);

/// The directory of an app's record.
struct AppDir {
  OwnedFd fd;  ///< O_PATH; empty when there is no such app
  std::string
      distrust;  ///< why the caller may only read the record (ownership.hpp); empty: it is its own
  /// The uid that the directory belongs to, when the caller may only read the record.
  std::optional<std::uint32_t> foreign_owner;

  int get() const { return fd.get(); }
  explicit operator bool() const { return static_cast<bool>(fd); }
};

/// Opens the app's directory, never through a symbolic link below the state root, for a caller that
/// only reads. Root may read the records of all users, every other user only its own. An empty
/// AppDir means that there is no such app. Throws kDenied for a directory that is not the caller's,
/// or that other users may write to; any other failure throws kDenied or kUnavailable.
AppDir open_app_dir_to_read(const AppRef& app);

/// Opens the app's directory for a caller that acts on the record: starts, cancels, deletes, or
/// talks to the supervisor. As open_app_dir_to_read(), but root is refused the records of others,
/// too: a record holds programs, and they would run as root.
OwnedFd open_app_dir(const AppRef& app);

/// Throws what open_app_dir() throws for a directory that is not to be trusted for the reason
/// `why`.
[[noreturn]] void refuse_record(const std::string& why);

}  // namespace slipway::local
