// The workspace of an app: the user's directory, and the copy of it that the app runs in.
#pragma once

#include <string>
#include <vector>

#include "slipway/workspace.hpp"

namespace slipway {

/// A copy of a workspace.
struct WorkspaceCopy {
  WorkspaceOrder order;    ///< source and destination of the copy
  WorkspaceResult result;  ///< the roles' image, and how much will be copied
};

/// The result of Runner::dryrun() for a workspace. Runner::schedule() copies the workspace, so that
/// later changes do not affect an app that waits to start.
struct AppWorkspace {
  std::string provider;  ///< the workspace provider that makes the copies, such as "dir"
  std::string source;    ///< absolute path, or the URL that the user named
  /// At least one copy. A provider that copies onto the images of roles makes one copy for each
  /// image, in the order of the roles.
  std::vector<WorkspaceCopy> copies;
};

}  // namespace slipway
