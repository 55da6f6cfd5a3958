// The workspace provider `dir`: directories of this machine.
#pragma once

#include <string_view>

#include "slipway/workspace.hpp"

namespace slipway::dir_workspace {

class DirWorkspace : public Workspace {
 public:
  using Workspace::Workspace;
  WorkspaceResult plan(const WorkspaceOrder& order, const Call& call) override;
  WorkspaceResult build(const WorkspaceOrder& order, const Call& call) override;
  void discard(std::string_view image, const Call& call) override;
};

}  // namespace slipway::dir_workspace
