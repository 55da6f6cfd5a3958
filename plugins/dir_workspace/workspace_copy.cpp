#include "plugins/dir_workspace/workspace_copy.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>

#include "sdk/support/tree_removal.hpp"
#include "sdk/support/workspace/file_failure.hpp"
#include "slipway/error.hpp"

namespace slipway::dir_workspace {

namespace {

namespace fs = std::filesystem;
using workspaces::Entry;
using workspaces::EntryKind;
using workspaces::file_failure;
using workspaces::WorkspaceTree;

// Returns the file that marks the directory `image` as a copy, and names its source.
fs::path origin_file(const fs::path& image) {
  return image.parent_path() / ("." + image.filename().string() + ".workspace");
}

void make_directory(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return;
  fs::create_directories(path.parent_path(), error);
  if (!error) fs::create_directory(path, error);
  if (!error) fs::permissions(path, fs::perms::owner_all, error);
  if (error) throw file_failure("make", path.string(), error);
}

void copy_entry(const Entry& entry, const fs::path& from, const fs::path& to) {
  std::error_code error;
  switch (entry.kind) {
    case EntryKind::kDirectory: {
      if (!fs::create_directory(to, error)) break;
      // The owner must be able to fill the directory, and to remove it later.
      const fs::perms mode = fs::status(from, error).permissions();
      if (!error) fs::permissions(to, mode | fs::perms::owner_all, error);
      break;
    }
    case EntryKind::kLink: fs::copy_symlink(from, to, error); break;
    case EntryKind::kFile: {
      // The next calls clear `error`, and would hide that the disk is full.
      if (!fs::copy_file(from, to, error)) break;
      const auto time = fs::last_write_time(from, error);
      if (!error) fs::last_write_time(to, time, error);
      break;
    }
  }
  if (error) throw file_failure("copy", from.string(), error);
}

std::optional<NotRemoved> remove_directory(const fs::path& path) {
  const OwnedFd parent(::open(path.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!parent) return NotRemoved{path.filename().string(), errno};
  return remove_tree(parent.get(), path.filename().string());
}

// A copy under its temporary name; the destructor removes it unless finish() renamed it.
class UnfinishedCopy {
 public:
  explicit UnfinishedCopy(const fs::path& image)
      : image_(image),
        unfinished_(image.parent_path() / ("." + image.filename().string() + ".unfinished")) {
    std::error_code error;
    if (fs::exists(fs::symlink_status(image_, error)))
      throw Error(Code::kExists, image_.string() + " already exists");
    // finish() gives the copy the mode of the workspace.
    if (::mkdir(unfinished_.c_str(), 0700) == 0) return;
    if (errno != EEXIST)
      throw file_failure("make", unfinished_.string(), {errno, std::generic_category()});
    throw Error(Code::kExists,
                unfinished_.string() +
                    " already exists: another process is making this copy, or was "
                    "killed while making it",
                "if no other process makes it, remove the directory");
  }
  ~UnfinishedCopy() {
    if (is_finished_) return;
    remove_directory(unfinished_);
    std::error_code ignored;
    fs::remove(origin_file(image_), ignored);
  }
  UnfinishedCopy(const UnfinishedCopy&) = delete;
  UnfinishedCopy& operator=(const UnfinishedCopy&) = delete;

  const fs::path& path() const { return unfinished_; }

  // Records the source `root`, and gives the copy the mode of the source and its final name.
  void finish(const std::string& root) {
    std::error_code error;
    const fs::perms mode = fs::status(root, error).permissions();
    if (!error) fs::permissions(unfinished_, mode | fs::perms::owner_all, error);
    if (error) throw file_failure("copy the mode of", root, error);
    std::ofstream origin(origin_file(image_));
    if (!(origin << root << '\n').flush())
      throw Error(Code::kCantCreate, "cannot write " + origin_file(image_).string());
    if (!publish()) throw file_failure("make", image_.string(), {errno, std::generic_category()});
    is_finished_ = true;
  }

 private:
  // Renames the copy to its final name. Returns false, with errno set, on failure, for instance if
  // the name exists.
  bool publish() const {
    if (::renameat2(AT_FDCWD, unfinished_.c_str(), AT_FDCWD, image_.c_str(), RENAME_NOREPLACE) == 0)
      return true;
    // NFS does not support the flag, and a container may forbid the call. A plain rename does not
    // replace a directory that contains files.
    return (errno == EINVAL || errno == ENOSYS || errno == EPERM) &&
           ::rename(unfinished_.c_str(), image_.c_str()) == 0;
  }

  fs::path image_;
  fs::path unfinished_;
  bool is_finished_ = false;
};

}  // namespace

void copy_tree(const WorkspaceTree& tree, const std::string& root, const std::string& directory,
               const std::string& name, const std::function<bool()>& is_cancelled) {
  make_directory(directory);
  UnfinishedCopy copy(fs::path(directory) / name);
  for (const Entry& entry : tree.entries) {
    if (is_cancelled()) throw Error(Code::kCancelled, "cancelled");
    copy_entry(entry, fs::path(root) / entry.path, copy.path() / entry.path);
  }
  copy.finish(root);
}

void remove_copy(const std::string& image) {
  const fs::path path = fs::path(image).lexically_normal();
  std::error_code error;
  if (path.filename().empty() || !fs::is_regular_file(fs::symlink_status(origin_file(path), error)))
    return;
  // It is not an error if the user has deleted the copy. Replicas may have made directories that
  // even their owner cannot change.
  if (const auto left = remove_directory(path)) {
    throw file_failure("remove", (path.parent_path() / left->path).string(),
                       {left->error, std::generic_category()});
  }
  fs::remove(origin_file(path), error);
}

}  // namespace slipway::dir_workspace
