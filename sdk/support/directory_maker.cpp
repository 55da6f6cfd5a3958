#include "sdk/support/directory_maker.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "sdk/support/ownership.hpp"
#include "sdk/support/system_error.hpp"

namespace slipway {
namespace {

constexpr int kDirectory = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

/// Returns which level of an absolute path is a link that neither the caller nor root made; empty
/// if none is. Rationale: Linux refuses such links only in sticky directories, and only if
/// fs.protected_symlinks is set.
std::string distrust_links(const std::string& path) {
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string level = path.substr(0, slash);
    struct stat info {};
    if (::lstat(level.c_str(), &info) == 0 && S_ISLNK(info.st_mode) && info.st_uid != 0 &&
        info.st_uid != ::geteuid())
      return level + " is a link of uid " + std::to_string(info.st_uid);
    if (slash == std::string::npos) return {};
  }
}

OwnedFd copy_of(int fd) { return OwnedFd(::fcntl(fd, F_DUPFD_CLOEXEC, 0)); }

}  // namespace

OwnedFd DirectoryMaker::open_path(const std::string& path, mode_t mode, bool check_place) {
  std::string existing = path;       // after the loop, the levels of `path` that exist
  std::vector<std::string> missing;  // the other levels, innermost first
  OwnedFd dir(::open(existing.c_str(), kDirectory));
  while (!dir && errno == ENOENT && existing.size() > 1) {
    const std::size_t slash = existing.rfind('/');
    std::string name = existing.substr(slash + 1);
    if (!name.empty() && name != ".") missing.push_back(std::move(name));
    existing.resize(slash == 0 ? 1 : slash);
    dir.reset(::open(existing.c_str(), kDirectory));
  }
  if (!dir) fail(path, errno);
  if (check_place || !missing.empty()) {
    const std::string why = distrust_place(dir.get());
    if (!why.empty()) refuse(path, why);
  }
  if (const std::string why = check_place ? distrust_links(existing) : std::string(); !why.empty())
    refuse(path, why);
  for (auto name = missing.rbegin(); name != missing.rend(); ++name) {
    OwnedFd next = *name == ".." ? OwnedFd(::openat(dir.get(), "..", kDirectory))
                                 : open_own(dir.get(), *name, mode, path);
    if (!next) fail(path, errno);
    dir = std::move(next);
  }
  return dir;
}

OwnedFd DirectoryMaker::open_own(int parent_fd, const std::string& name, mode_t mode,
                                 const std::string& path) {
  const auto open = [&] {
    return OwnedFd(::openat(parent_fd, name.c_str(), kDirectory | O_NOFOLLOW));
  };
  OwnedFd dir = open();
  if (dir || errno != ENOENT) return checked(std::move(dir), name, path);
  dir = make_own(parent_fd, name, mode, path);
  // Another command of this user may have made the directory meanwhile.
  return dir ? std::move(dir) : checked(open(), name, path);
}

OwnedFd DirectoryMaker::open_own_levels(const std::string& root, const std::string& below) {
  OwnedFd dir = open_path(root, 0700, /*check_place=*/false);
  struct stat info {};
  if (::fstat(dir.get(), &info) != 0) fail(root, errno);
  if (const std::string why = distrust(info); !why.empty()) refuse(root, "it " + why);
  std::string path = root;
  for (std::size_t start = 0; start < below.size();) {
    const std::string name = below.substr(start, below.find('/', start) - start);
    path += '/' + name;
    dir = open_own(dir.get(), name, 0700, path);
    start += name.size() + 1;
  }
  return dir;
}

OwnedFd DirectoryMaker::make_own(int parent_fd, const std::string& name, mode_t mode,
                                 const std::string& path) {
  if (::mkdirat(parent_fd, name.c_str(), mode) != 0) {
    if (errno == EEXIST) return OwnedFd();
    fail(path, errno);
  }
  made_.push_back({copy_of(parent_fd), name});
  OwnedFd dir(::openat(parent_fd, name.c_str(), kDirectory | O_NOFOLLOW));
  // The umask may have removed the owner's permissions.
  if (!dir && errno == EACCES && ::fchmodat(parent_fd, name.c_str(), mode, 0) == 0)
    dir.reset(::openat(parent_fd, name.c_str(), kDirectory | O_NOFOLLOW));
  return checked(std::move(dir), name, path);
}

OwnedFd DirectoryMaker::checked(OwnedFd dir, const std::string& name,
                                const std::string& path) const {
  struct stat info {};
  if (!dir || ::fstat(dir.get(), &info) != 0) fail(path, errno);
  const std::string why = distrust(info);
  if (!why.empty()) refuse(path, "its part " + name + ' ' + why);
  if (!ensure_owner_access(dir.get(), info, 0700)) fail(path, errno);
  return dir;
}

void DirectoryMaker::take_back() {
  while (!made_.empty()) {
    ::unlinkat(made_.back().parent.get(), made_.back().name.c_str(), AT_REMOVEDIR);
    made_.pop_back();
  }
}

void DirectoryMaker::fail(const std::string& path, int error) const {
  std::string hint;
  switch (error) {
    case EACCES:
    case EPERM:
    case EROFS:
    case ENOENT:
    case ENOTDIR: hint = hint_; break;
    case ENOSPC:
    case EDQUOT: hint = "make room on that file system"; break;
    default: break;
  }
  throw system_error(Code::kCantCreate, "cannot create the " + what_, path, error, hint);
}

void DirectoryMaker::refuse(const std::string& path, const std::string& why) const {
  throw Error(Code::kCantCreate, "cannot use the " + what_ + ' ' + path + ": " + why, hint_);
}

}  // namespace slipway
