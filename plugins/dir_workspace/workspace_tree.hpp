// Lists the files of a workspace, without those that its ignore file excludes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "slipway/ignore_rules.hpp"

namespace slipway::dir_workspace {

enum class EntryKind : std::uint8_t { kDirectory, kFile, kLink };

struct Entry {
  std::string path;  ///< relative to the workspace
  EntryKind kind = EntryKind::kFile;
  std::int64_t bytes = 0;  ///< the size of a file; 0 for others
};

struct WorkspaceTree {
  std::vector<Entry> entries;        ///< a directory comes before its content, which is sorted
  std::vector<std::string> skipped;  ///< sockets, pipes and devices, which cannot be copied

  std::int64_t files() const;  ///< the number of files and links
  std::int64_t bytes() const;  ///< the total size of the files
};

/// Returns the rules of `.slipwayignore` in `root`, or else of `.torchxignore`; without such a file
/// there are no rules. As in TorchX, `.torchxignore` never excludes `Dockerfile.torchx`. Throws
/// Error(kDenied) if the file cannot be read.
IgnoreRules ignore_rules_of(const std::string& root);

/// Returns everything below `root`, without the directory `excluded` (absolute, or empty) and
/// without what `rules` ignore. Does not follow links. Throws Error(kNotFound) if `root` does not
/// exist, Error(kInvalid) if it is not a directory, Error(kDenied) if something cannot be read, and
/// Error(kCancelled) as soon as `is_cancelled()` returns true.
WorkspaceTree read_tree(const std::string& root, const IgnoreRules& rules,
                        const std::string& excluded, const std::function<bool()>& is_cancelled);

}  // namespace slipway::dir_workspace
