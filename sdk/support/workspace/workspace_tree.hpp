// Lists the files of a workspace, without those that its ignore file excludes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::workspaces {

enum class EntryKind : std::uint8_t { kDirectory, kFile, kLink };

/// One directory, file or link of a workspace.
struct Entry {
  std::string path;  ///< relative to the workspace
  EntryKind kind = EntryKind::kFile;
  std::int64_t bytes = 0;  ///< the size of a file; 0 for others
};

/// The result of read_tree().
struct WorkspaceTree {
  std::vector<Entry> entries;        ///< a directory comes before its content, which is sorted
  std::vector<std::string> skipped;  ///< sockets, pipes and devices, which cannot be copied

  std::int64_t files() const;  ///< the number of files and links
  std::int64_t bytes() const;  ///< the total size of the files
};

/// Decides which paths of a workspace are ignored. Paths are relative to the workspace.
struct IgnoreRule {
  std::function<bool(std::string_view path, bool is_directory)> ignores;
  /// Returns whether files in the ignored directory `path` may be included again; empty: never.
  std::function<bool(std::string_view path)> may_include_below = {};
};

/// Returns the rule of the first of these files that exists in `root`: `.slipwayignore`,
/// `.torchxignore`, `.dockerignore`, `.gitignore`. The rule also ignores `.git`, unless the file
/// includes it again; if there is no such file, it ignores nothing else. As in TorchX,
/// `.torchxignore` never excludes `Dockerfile.torchx`. Throws Error(kInvalid) if the file is not a
/// regular one, kDenied if it cannot be read, and kNotFound for a link to nothing.
IgnoreRule ignore_rules_of(const std::string& root);

/// Returns everything below `root`, without the directory `excluded` (an absolute path, or empty),
/// such as that of earlier copies of the workspace, and without what `rule` ignores. Omits an
/// ignored directory unless the rule includes something in it again. Does not follow links. Throws
/// Error(kNotFound) if `root` does not exist, Error(kInvalid) if it is not a directory,
/// Error(kDenied) if the caller may not read a directory, and Error(kCancelled) as soon as
/// `is_cancelled()` returns true.
WorkspaceTree read_tree(const std::string& root, const IgnoreRule& rule,
                        const std::string& excluded, const std::function<bool()>& is_cancelled);

}  // namespace slipway::workspaces
