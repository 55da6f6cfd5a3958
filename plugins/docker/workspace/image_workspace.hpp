// The workspace provider `image`: a directory as a layer on an image of the Docker engine.
#pragma once

#include <string_view>

#include "slipway/workspace.hpp"

namespace slipway::docker {

/// plan() and build() return the image's name, and discard() takes it. Each build gets a new name
/// that is never used again, so plan() can return it before the build. The Docker schedulers
/// replace the name by the image's id when they submit the app (workspace_image.hpp). A build that
/// succeeds also calls remove_forgotten_images() of that header.
class ImageWorkspace : public Workspace {
 public:
  using Workspace::Workspace;

  WorkspaceResult plan(const WorkspaceOrder& order, const Call& call) override;
  WorkspaceResult build(const WorkspaceOrder& order, const Call& call) override;
  void discard(std::string_view image, const Call& call) override;
};

}  // namespace slipway::docker
