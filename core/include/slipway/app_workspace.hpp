// The workspace of an app: the user's directory, and the copy of it that the app runs in.
#pragma once

#include <string>

#include "slipway/workspace.hpp"

namespace slipway {

/// Runner::dryrun() makes it. Runner::schedule() copies the workspace, so that later changes do not
/// affect an app that waits to start.
struct AppWorkspace {
  std::string provider;    ///< the plug-in's provider: "dir"
  WorkspaceOrder order;    ///< source and destination of the copy
  WorkspaceResult result;  ///< the roles' image, and how much will be copied
};

}  // namespace slipway
