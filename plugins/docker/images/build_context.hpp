// The context of a build as a tar archive, made in pieces so that a large one needs little memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sdk/support/workspace/workspace_tree.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::docker {

/// An archive of files with their modes, times and symbolic links. Their owner in the archive is
/// root, as after COPY in a Dockerfile.
class BuildContext {
 public:
  /// `entries` are paths relative to `root`. In the archive they lie below `prefix` ("" or "x/").
  BuildContext(std::string root, std::string prefix, std::vector<workspaces::Entry> entries);

  /// Adds a file that `root` does not have, with this text. It precedes the other files. `path` is
  /// its whole path in the archive; `prefix` is not put before it.
  void add_text(const std::string& path, const std::string& text);

  /// Appends the next piece of the archive. Returns false with the last piece. Throws the error of
  /// file_failure() for a file that cannot be read, and kTemporary for a file that changes
  /// meanwhile.
  bool next(std::string& piece);

  /// Returns the number of file bytes that next() has returned.
  std::int64_t sent_bytes() const { return sent_; }

 private:
  void append_entry(const workspaces::Entry& entry, std::string& piece);
  void append_file_bytes(std::string& piece);

  std::string root_;
  std::string prefix_;
  std::vector<workspaces::Entry> entries_;
  std::string texts_;      // members without a file in `root_`, until next() returns them
  std::size_t at_ = 0;     // index of the next entry
  OwnedFd file_;           // the open file, of the entry at `at_ - 1`
  std::int64_t size_ = 0;  // bytes of the open file
  std::int64_t left_ = 0;  // bytes of the open file that are not read yet
  std::int64_t sent_ = 0;  // bytes of all files that next() has returned
};

}  // namespace slipway::docker
