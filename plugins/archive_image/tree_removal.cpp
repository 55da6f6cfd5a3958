#include "plugins/archive_image/tree_removal.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <vector>

#include "slipway/owned_fd.hpp"

namespace slipway::archive_image {

namespace {

struct Level {
  std::unique_ptr<DIR, int (*)(DIR*)> entries;
  std::string name;  // in the level above
};

// Opens a directory to remove its content. Returns nullptr, with errno set, on failure.
std::unique_ptr<DIR, int (*)(DIR*)> enter(int parent, const char* name) {
  OwnedFd fd(::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd && errno == EACCES) {
    // The directory is not searchable: a process died while unpacking.
    ::fchmodat(parent, name, 0700, 0);
    fd = OwnedFd(::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  }
  if (!fd) return {nullptr, ::closedir};
  ::fchmod(fd.get(), 0700);
  return {::fdopendir(::fcntl(fd.get(), F_DUPFD_CLOEXEC, 0)), ::closedir};
}

bool is_removed(int result) { return result == 0 || errno == ENOENT; }

}  // namespace

bool remove_tree(int parent, const std::string& name) {
  if (is_removed(::unlinkat(parent, name.c_str(), 0))) return true;
  if (errno != EISDIR && errno != EPERM) return false;
  // Not recursive, because the archive decides how deep the tree is.
  std::vector<Level> levels;
  levels.push_back({enter(parent, name.c_str()), name});
  if (!levels.back().entries) return errno == ENOENT;
  while (!levels.empty()) {
    DIR* const here = levels.back().entries.get();
    const dirent* const entry = ::readdir(here);
    if (entry == nullptr) {
      const std::string done = std::move(levels.back().name);
      levels.pop_back();
      const int above = levels.empty() ? parent : ::dirfd(levels.back().entries.get());
      if (!is_removed(::unlinkat(above, done.c_str(), AT_REMOVEDIR))) return false;
      continue;
    }
    const std::string child = entry->d_name;
    if (child == "." || child == "..") continue;
    if (is_removed(::unlinkat(::dirfd(here), child.c_str(), 0))) continue;
    if (errno != EISDIR && errno != EPERM) return false;
    auto below = enter(::dirfd(here), child.c_str());
    if (!below && errno == ENOENT) continue;
    if (!below) return false;
    levels.push_back({std::move(below), child});
  }
  return true;
}

}  // namespace slipway::archive_image
