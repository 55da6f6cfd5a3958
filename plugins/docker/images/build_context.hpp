// The context of a build as a tar archive, made in pieces so that its size does not matter.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sdk/support/workspace/workspace_tree.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::docker {

/// Modes, times and links are those of the files; the owner is root, as the engine's COPY makes it.
class BuildContext {
 public:
  /// `entries` are paths relative to `root`, and lie below `prefix` in the archive ("" or "x/").
  BuildContext(std::string root, std::string prefix, std::vector<workspaces::Entry> entries);

  /// Adds a file that `root` does not have, before the others.
  void add_text(const std::string& path, const std::string& text);

  /// Appends the next piece of the archive. Returns false with the last one. Throws Error kNotFound
  /// or kDenied for a file that cannot be read, and kTemporary for one that changes meanwhile.
  bool next(std::string& piece);

  /// The bytes of files that next() has returned.
  std::int64_t sent_bytes() const { return sent_; }

 private:
  void begin(const workspaces::Entry& entry, std::string& piece);
  void go_on(std::string& piece);

  std::string root_;
  std::string prefix_;
  std::vector<workspaces::Entry> entries_;
  std::string texts_;
  std::size_t at_ = 0;
  OwnedFd file_;           // of the entry before `at_`, while it is open
  std::int64_t size_ = 0;  // of that file
  std::int64_t left_ = 0;  // of it, to be read
  std::int64_t sent_ = 0;
};

}  // namespace slipway::docker
