// The workspace provider `image`: a directory as a layer on an image of the Docker engine.
#pragma once

#include <string_view>

#include "slipway/workspace.hpp"

namespace slipway::docker {

/// Each build gets a new name that is never used again, so plan() can return it before the build.
/// Schedulers refer to the image by its id. A build that succeeds also removes images that nothing
/// uses; see remove_forgotten_images().
class ImageWorkspace : public Workspace {
 public:
  using Workspace::Workspace;

  WorkspaceResult plan(const WorkspaceOrder& order, const Call& call) override;
  WorkspaceResult build(const WorkspaceOrder& order, const Call& call) override;
  void discard(std::string_view image, const Call& call) override;
};

}  // namespace slipway::docker
