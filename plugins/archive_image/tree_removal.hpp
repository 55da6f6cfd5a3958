// Removing an image, read-only as it is.
#pragma once

#include <string>

namespace slipway::archive_image {

/// Removes `name` in the directory `parent` and everything below it, following no link. Another process may be doing
/// the same. False when something is left; errno says why.
bool remove_tree(int parent, const std::string& name);

}  // namespace slipway::archive_image
