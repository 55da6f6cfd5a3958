#include "plugins/dir_workspace/workspace_tree.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "plugins/dir_workspace/file_failure.hpp"
#include "slipway/error.hpp"

namespace slipway::dir_workspace {

namespace {

namespace fs = std::filesystem;

class Reader {
 public:
  Reader(const fs::path& root, const IgnoreRules& rules, const fs::path& excluded,
         const std::function<bool()>& is_cancelled)
      : root_(root), rules_(rules), excluded_(excluded), is_cancelled_(is_cancelled) {}

  WorkspaceTree read() {
    below(root_, {});
    return std::move(tree_);
  }

 private:
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
    if (rules_.ignores(path) || entry.path() == excluded_) return;
    std::error_code error;
    switch (entry.symlink_status(error).type()) {
      case fs::file_type::symlink: tree_.entries.push_back({path, EntryKind::kLink, 0}); break;
      case fs::file_type::regular:
        tree_.entries.push_back(
            {path, EntryKind::kFile, static_cast<std::int64_t>(entry.file_size(error))});
        break;
      case fs::file_type::directory:
        tree_.entries.push_back({path, EntryKind::kDirectory, 0});
        below(entry.path(), path + "/");
        break;
      case fs::file_type::not_found: return;  // removed since it was listed
      default: tree_.skipped.push_back(path); break;
    }
    if (error) throw file_failure("read", entry.path().string(), error);
  }

  const fs::path& root_;
  const IgnoreRules& rules_;
  const fs::path& excluded_;
  const std::function<bool()>& is_cancelled_;
  WorkspaceTree tree_;
};

// Returns false if the file does not exist.
bool read_text(const fs::path& path, std::string& out) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error))) return false;
  std::ifstream file(path, std::ios::binary);
  out.assign(std::istreambuf_iterator<char>(file), {});
  if (!file.good() && !file.eof())
    throw Error(Code::kDenied, "cannot read " + path.string(), "chmod u+r '" + path.string() + "'");
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

IgnoreRules ignore_rules_of(const std::string& root) {
  std::string text;
  if (read_text(fs::path(root) / ".slipwayignore", text)) return IgnoreRules(text);
  if (read_text(fs::path(root) / ".torchxignore", text))
    return IgnoreRules(text + "\n!Dockerfile.torchx\n");
  return IgnoreRules({});
}

WorkspaceTree read_tree(const std::string& root, const IgnoreRules& rules,
                        const std::string& excluded, const std::function<bool()>& is_cancelled) {
  std::error_code error;
  const fs::file_status status = fs::status(root, error);
  if (!fs::exists(status)) throw file_failure("find", root, error);
  if (!fs::is_directory(status))
    throw Error(Code::kInvalid, "the workspace " + root + " is not a directory");
  return Reader(root, rules, excluded, is_cancelled).read();
}

}  // namespace slipway::dir_workspace
