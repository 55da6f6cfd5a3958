// Writes an image's files below one directory and never outside it.
#pragma once

#include <ctime>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "slipway/owned_fd.hpp"

namespace slipway::archive_image {

/// The parts of a path, as entry_parts() returns them: none of them is empty, "." or "..". Every
/// function below needs at least one.
using Parts = std::vector<std::string>;

/// Opens every directory of a path separately and never through a symbolic link, so that no link
/// can lead outside. A new file or link replaces a file or link of the same name, as in tar, but
/// never a directory. Throws Error(kInvalid) for mistakes in the archive, and system_error() for
/// failures of system calls. Not thread-safe.
class TreeWriter {
 public:
  /// Borrows `root_fd`, an empty directory.
  explicit TreeWriter(int root_fd) : root_fd_(root_fd) {}

  /// Creates a directory; does nothing if it exists.
  void directory(const Parts& parts);
  /// Creates a file. The caller writes it and then passes it to finish_file().
  OwnedFd file(const Parts& parts);
  /// Makes the file read-only, possibly executable, and sets its time. Sets no other mode bit.
  static void finish_file(const OwnedFd& file, bool executable,
                          const std::optional<timespec>& modified);
  void symbolic_link(const Parts& parts, const std::string& target);
  /// Adds a second name for a regular file of the tree.
  void hard_link(const Parts& parts, const Parts& target);

  /// Returns the number of directories, including those that no entry named.
  std::size_t directory_count() const { return directories_.size(); }
  /// Makes all directories read-only, including the root. Afterwards nothing can be added.
  void seal();

 private:
  /// Returns the directory above parts.back(), open until the next call. Creates missing
  /// directories.
  int parent_of(const Parts& parts);
  /// Removes a file or link that already has the name.
  void replace(int parent, const Parts& parts);

  int root_fd_;
  Parts parent_parts_;
  OwnedFd parent_;                     // the directory parent_parts_, kept for the next entry
  std::set<std::string> directories_;  // created so far, as relative paths
};

}  // namespace slipway::archive_image
