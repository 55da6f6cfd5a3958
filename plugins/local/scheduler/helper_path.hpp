// Where the supervisor's program is.
#pragma once

#include <string>

namespace slipway::local {

/// The absolute path of `libexec/slipway/slipway-local-supervisor` in the installation that this
/// plug-in was loaded from, so that the tree may be moved as a whole. Throws Error kUnavailable
/// when it cannot be told.
std::string helper_path();

}  // namespace slipway::local
