// Creates and removes copies of workspaces. A copy appears to other processes in one step.
#pragma once

#include <functional>
#include <string>

#include "sdk/support/workspace/workspace_tree.hpp"

namespace slipway::dir_workspace {

/// Copies `tree`, which was read from `root`, to `directory`/`name`. Creates `directory` (0700) if
/// it does not exist. Builds the copy under another name and renames it when it is complete, so no
/// process sees a partial copy. The file `.<name>.workspace` beside it records the source. On error
/// leaves nothing behind but `directory`. Keeps the modes and times of files, and the modes of
/// directories, to which it adds all rights of the owner. Copies links as links. Throws kExists if
/// the name exists, or an unfinished copy for it; kCancelled if `is_cancelled` returns true; and
/// kCantCreate, kNotFound or kDenied if a file cannot be read or written (file_failure()).
void copy_tree(const workspaces::WorkspaceTree& tree, const std::string& root,
               const std::string& directory, const std::string& name,
               const std::function<bool()>& is_cancelled);

/// Removes a copy that copy_tree() made at `image`. Does nothing for any other directory or a
/// missing one. Throws kDenied, and kCantCreate if a file cannot be removed for another reason.
void remove_copy(const std::string& image);

}  // namespace slipway::dir_workspace
