// Who may put files into a directory.
#pragma once

#include <string>

namespace slipway::local {

/// Whether a user other than this process's and root may put files into `directory`: it belongs to
/// another user, everybody may write to it (a sticky directory is no exception: new files are
/// enough), or a group may that is not the user's own. False when the directory cannot be
/// inspected.
bool others_may_write(const std::string& directory);

}  // namespace slipway::local
