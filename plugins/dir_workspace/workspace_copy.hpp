// A copy of a workspace, made in one step as others see it.
#pragma once

#include <functional>
#include <string>

#include "plugins/dir_workspace/workspace_tree.hpp"

namespace slipway::dir_workspace {

/// Copies `tree`, which was read from `root`, to `directory`/`name`; makes `directory` (0700) where there is none. The
/// copy grows under another name and is renamed when it is complete, so nobody sees a part of it; beside it
/// `.<name>.workspace` says where it came from. On error nothing is left. Modes and times are the files' own; links are
/// copied as links. Throws kExists when there is such a name, kCantCreate, kNotFound, kDenied, kCancelled.
void copy_tree(const WorkspaceTree& tree, const std::string& root, const std::string& directory,
               const std::string& name, const std::function<bool()>& is_cancelled);

/// Removes a copy that copy_tree() made at `image`; anything else, and nothing, is left alone. Throws kDenied,
/// kCantCreate.
void remove_copy(const std::string& image);

}  // namespace slipway::dir_workspace
