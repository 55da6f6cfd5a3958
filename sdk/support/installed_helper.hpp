// Finds the files that were installed with the calling plug-in, wherever users moved the tree.
#pragma once

#include <string>

namespace slipway {

/// Returns the prefix of the installation that the calling plug-in was loaded from, without
/// symbolic links. Throws Error kUnavailable if it cannot be found.
std::string installed_prefix();

/// Returns the path of the program `name` in `libexec/slipway` of that installation. Users do not
/// call such programs. Throws Error kUnavailable if it is missing.
std::string installed_helper(const std::string& name);

}  // namespace slipway
