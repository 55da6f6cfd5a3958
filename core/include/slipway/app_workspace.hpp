// The workspace of an app: the directory that somebody works in, and the copy of it that the app runs in.
#pragma once

#include <string>

#include "slipway/workspace.hpp"

namespace slipway {

/// Made by Runner::dryrun(). The copy is made when the app is scheduled, so that later changes of the workspace do not
/// reach an app that waits.
struct AppWorkspace {
  std::string provider;    ///< the plug-in's provider: "dir"
  WorkspaceOrder order;    ///< from where to where
  WorkspaceResult result;  ///< the roles' image, and how much there is to copy
};

}  // namespace slipway
