// The locks that keep an app's images in place while it is supervised.
#pragma once

#include <string>
#include <vector>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Opens and locks the files, shared (flock), and never waits. One that cannot be locked is left
/// out: the app runs from what is there, and its images may be removed when nobody used them for
/// long.
std::vector<OwnedFd> hold_files(const std::vector<std::string>& paths);

}  // namespace slipway::local
