// The ownership of one directory stream.
#pragma once

#include <dirent.h>

#include <memory>

namespace slipway {

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

/// Closes the stream, and the descriptor that fdopendir() took.
using DirectoryStream = std::unique_ptr<DIR, CloseDirectory>;

}  // namespace slipway
