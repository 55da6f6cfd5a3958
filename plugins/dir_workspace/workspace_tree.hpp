// The files of a workspace: what is in it, less what its ignore file leaves out.
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
  std::int64_t bytes = 0;  ///< of a file
};

struct WorkspaceTree {
  std::vector<Entry> entries;  ///< a directory stands before what is in it; sorted within each
  std::vector<std::string> left_out;  ///< sockets, pipes and devices, which have no copy

  std::int64_t files() const;  ///< links count, directories do not
  std::int64_t bytes() const;
};

/// The rules of `.slipwayignore` in `root`, or else of `.torchxignore`; no file, no rules. As in TorchX, the latter never
/// leaves out `Dockerfile.torchx`. Throws kDenied for one that cannot be read.
IgnoreRules ignore_rules_of(const std::string& root);

/// Everything below `root` but what `rules` ignore and the directory `excluded` (absolute; empty: none). Links are not
/// followed. Throws kNotFound, kInvalid (no directory), kDenied; kCancelled as soon as `is_cancelled()` says so.
WorkspaceTree read_tree(const std::string& root, const IgnoreRules& rules,
                        const std::string& excluded, const std::function<bool()>& is_cancelled);

}  // namespace slipway::dir_workspace
