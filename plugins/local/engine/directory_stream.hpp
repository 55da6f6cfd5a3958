// Ownership of a stream of directory entries.
#pragma once

#include <dirent.h>

#include <memory>

namespace slipway::local {

struct CloseDir {
  void operator()(DIR* dir) const { ::closedir(dir); }
};

/// Closes the stream, and the descriptor that fdopendir() took, at its end.
using DirectoryStream = std::unique_ptr<DIR, CloseDir>;

}  // namespace slipway::local
