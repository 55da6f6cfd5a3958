// The helper programs of this installation, which users do not call.
#pragma once

#include <string>

namespace slipway {

/// Returns the path of the program `name` in `libexec/slipway` of the installation that the calling
/// plug-in was loaded from, so users can move the whole tree. Throws Error kUnavailable if it is
/// missing.
std::string installed_helper(const std::string& name);

}  // namespace slipway
