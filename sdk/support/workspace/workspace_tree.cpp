#include "sdk/support/workspace/workspace_tree.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "sdk/support/file_text.hpp"
#include "sdk/support/workspace/file_failure.hpp"
#include "sdk/support/workspace/path_patterns.hpp"
#include "slipway/error.hpp"
#include "slipway/ignore_rules.hpp"

namespace slipway::workspaces {

namespace {

namespace fs = std::filesystem;

// Reads the tree for read_tree().
class Reader {
 public:
  Reader(const fs::path& root, const IgnoreRule& rule, const fs::path& excluded,
         const std::function<bool()>& is_cancelled)
      : root_(root), rule_(rule), is_cancelled_(is_cancelled) {
    has_excluded_ = ::stat(excluded.c_str(), &excluded_) == 0;
  }

  WorkspaceTree read() {
    below(root_, {});
    return std::move(tree_);
  }

 private:
  /// Adds the content of `directory`. `prefix` is its path in the workspace, with a slash at its
  /// end.
  void below(const fs::path& directory, const std::string& prefix) {
    std::error_code error;
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error))
      entries.push_back(*at);
    if (error) throw file_failure("read", directory.string(), error);
    std::sort(entries.begin(), entries.end());
    for (const fs::directory_entry& entry : entries) {
      if (is_cancelled_()) throw Error(Code::kCancelled, "cancelled");
      add(entry, prefix + entry.path().filename().string());
    }
  }

  void add(const fs::directory_entry& entry, const std::string& path) {
    std::error_code error;
    const fs::file_type type = entry.symlink_status(error).type();
    if (type == fs::file_type::directory && is_excluded(entry.path())) return;
    if (rule_.ignores(path, type == fs::file_type::directory)) {
      if (type == fs::file_type::directory) add_included_below(entry.path(), path);
      return;
    }
    switch (type) {
      case fs::file_type::symlink: tree_.entries.push_back({path, EntryKind::kLink, 0}); break;
      case fs::file_type::regular:
        tree_.entries.push_back(
            {path, EntryKind::kFile, static_cast<std::int64_t>(entry.file_size(error))});
        break;
      case fs::file_type::directory:
        tree_.entries.push_back({path, EntryKind::kDirectory, 0});
        below(entry.path(), path + "/");
        break;
      case fs::file_type::not_found: return;  // removed after the directory was listed
      default: tree_.skipped.push_back(path); break;
    }
    if (error) throw file_failure("read", entry.path().string(), error);
  }

  /// Compares the directories, because their paths may go through different links.
  bool is_excluded(const fs::path& directory) const {
    struct stat status {};
    return has_excluded_ && ::lstat(directory.c_str(), &status) == 0 &&
           status.st_dev == excluded_.st_dev && status.st_ino == excluded_.st_ino;
  }

  /// Adds what is included again in an ignored directory.
  void add_included_below(const fs::path& directory, const std::string& path) {
    if (!rule_.may_include_below || !rule_.may_include_below(path)) return;
    const std::size_t before = tree_.entries.size();
    tree_.entries.push_back({path, EntryKind::kDirectory, 0});
    below(directory, path + "/");
    if (tree_.entries.size() == before + 1) tree_.entries.pop_back();
  }

  const fs::path& root_;
  const IgnoreRule& rule_;
  struct stat excluded_ {};
  bool has_excluded_ = false;
  const std::function<bool()>& is_cancelled_;
  WorkspaceTree tree_;
};

// Returns false if the file does not exist. A link to nothing does exist, and throws Error.
bool read_text(const fs::path& path, std::string& out) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error))) return false;
  auto text = file_text(path.string());
  if (!text && (errno == EINVAL || errno == EISDIR)) {
    throw Error(Code::kInvalid, path.string() + " is not a regular file",
                "replace it with a text file of patterns, or remove it");
  }
  if (!text) throw file_failure("read", path.string(), {errno, std::generic_category()});
  out = std::move(*text);
  return true;
}

}  // namespace

std::int64_t WorkspaceTree::files() const {
  return std::count_if(entries.begin(), entries.end(),
                       [](const Entry& entry) { return entry.kind != EntryKind::kDirectory; });
}

std::int64_t WorkspaceTree::bytes() const {
  std::int64_t out = 0;
  for (const Entry& entry : entries) out += entry.bytes;
  return out;
}

IgnoreRule ignore_rules_of(const std::string& root) {
  const std::string git = ".git\n";
  const auto torchx_rule = [&](const std::string& text) {
    return IgnoreRule{[rules = IgnoreRules(git + text)](std::string_view path, bool) {
      return rules.ignores(path);
    }};
  };
  const auto git_or_docker_rule = [&](const std::string& text, PatternStyle style) {
    const auto rules = std::make_shared<const PathPatterns>(git + text, style);
    return IgnoreRule{
        [rules](std::string_view path, bool is_dir) { return rules->ignores(path, is_dir); },
        [rules](std::string_view path) { return rules->may_include_below(path); }};
  };
  std::string text;
  if (read_text(fs::path(root) / ".slipwayignore", text)) return torchx_rule(text);
  if (read_text(fs::path(root) / ".torchxignore", text))
    return torchx_rule(text + "\n!Dockerfile.torchx\n");
  if (read_text(fs::path(root) / ".dockerignore", text))
    return git_or_docker_rule(text, PatternStyle::kDocker);
  if (read_text(fs::path(root) / ".gitignore", text))
    return git_or_docker_rule(text, PatternStyle::kGit);
  return torchx_rule({});
}

WorkspaceTree read_tree(const std::string& root, const IgnoreRule& rule,
                        const std::string& excluded, const std::function<bool()>& is_cancelled) {
  std::error_code error;
  const fs::file_status status = fs::status(root, error);
  if (!fs::exists(status)) throw file_failure("find", root, error);
  if (!fs::is_directory(status))
    throw Error(Code::kInvalid, "the workspace " + root + " is not a directory");
  return Reader(root, rule, excluded, is_cancelled).read();
}

}  // namespace slipway::workspaces
