// Removes an image, although it is read-only.
#pragma once

#include <string>

namespace slipway::archive_image {

/// Removes `name` in the directory `parent` and everything below it, without following links.
/// Several processes may do this at the same time. Returns false, with errno set, if something
/// could not be removed.
bool remove_tree(int parent, const std::string& name);

}  // namespace slipway::archive_image
