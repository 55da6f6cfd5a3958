// The workspace provider `image`: a directory as a layer on an image of the Docker engine.
#pragma once

#include <string_view>

#include "slipway/workspace.hpp"

namespace slipway::docker {

/// The image has a name of its own that is never given again, so plan() can tell it. What runs an
/// app in it uses the image's id.
class ImageWorkspace : public Workspace {
 public:
  using Workspace::Workspace;

  WorkspaceResult plan(const WorkspaceOrder& order, const Call& call) override;
  WorkspaceResult build(const WorkspaceOrder& order, const Call& call) override;
  void discard(std::string_view image, const Call& call) override;
};

}  // namespace slipway::docker
