// Where an app's record lies, and the rule for names that become paths.
#pragma once

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

/// Opens the app's directory (O_PATH, never through a symbolic link below the state root). An empty
/// OwnedFd means that there is no such app; any other failure (a denied directory) throws kDenied
/// or kUnavailable.
OwnedFd open_app_dir(const AppRef& app);

}  // namespace slipway::local
