// Writing an image's files below one directory and nowhere else, whatever the names say.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <ctime>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "slipway/owned_fd.hpp"

namespace slipway::archive_image {

/// A path's parts, as entry_parts() makes them: no "..", not empty.
using Parts = std::vector<std::string>;

/// Every directory on the way is opened by itself and never through a symbolic link, so that no link, however it came
/// there, leads out. An entry of the same name replaces a file or link, as tar does it; never a directory. Throws Error
/// kInvalid for what the archive is to blame for, else what the system says. Not thread safe.
class TreeWriter {
 public:
  /// `root_fd` is borrowed: an empty directory.
  explicit TreeWriter(int root_fd) : root_fd_(root_fd) {}

  void directory(const Parts& parts);
  /// A new file, to be written by the caller and then given to finish_file().
  OwnedFd file(const Parts& parts);
  /// Read-only, `executable` or not, with its time; no other bit of a mode is ever set.
  static void finish_file(const OwnedFd& file, bool executable,
                          const std::optional<timespec>& modified);
  void symbolic_link(const Parts& parts, const std::string& target);
  /// Another name for a regular file that is there already.
  void hard_link(const Parts& parts, const Parts& target);

  /// How many directories there are, those that no entry named too.
  std::size_t directory_count() const { return directories_.size(); }
  /// Makes all directories read-only, the root too. Afterwards nothing can be added.
  void seal();

 private:
  /// Opens the directory that holds parts.back(); makes what is missing.
  int parent_of(const Parts& parts);
  void replace(int parent, const Parts& parts);

  int root_fd_;
  Parts parent_parts_;
  OwnedFd parent_;                     // of parent_parts_, kept for the next entry
  std::set<std::string> directories_;  // relative paths
};

}  // namespace slipway::archive_image
