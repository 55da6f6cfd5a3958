// Where symbolic links lead.
#pragma once

#include <string>
#include <vector>

namespace slipway::archive_image {

/// Checks that each of the symbolic links `links` (paths relative to the directory `root_fd`) leads to a place in that
/// directory, by going the way that the kernel would, links on it included. A place need not exist. Throws Error
/// kInvalid for the first that does not, or that goes round in circles.
void check_links(int root_fd, const std::vector<std::string>& links);

}  // namespace slipway::archive_image
