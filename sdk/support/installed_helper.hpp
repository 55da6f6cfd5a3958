// The files that were installed with the calling plug-in, so users can move the whole tree.
#pragma once

#include <string>

namespace slipway {

/// Returns the prefix of the installation that the calling plug-in was loaded from, without
/// symbolic links. Throws Error kUnavailable if it cannot be found.
std::string installed_prefix();

/// Returns the path of the program `name` in `libexec/slipway` of that installation, which users do
/// not call. Throws Error kUnavailable if it is missing.
std::string installed_helper(const std::string& name);

}  // namespace slipway
