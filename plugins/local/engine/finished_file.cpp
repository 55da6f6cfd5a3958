#include "plugins/local/engine/finished_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "plugins/local/engine/file_io.hpp"

namespace slipway::local {
namespace {

// Neither is a session: their names are none (is_safe_name).
constexpr char kName[] = ".finished";
constexpr char kDraftName[] = ".finished.new";
constexpr std::size_t kMaxBytes = 64U << 20U;  // half a million apps

/// The draft, emptied, and locked until it is closed; empty when there is none to be had. All
/// writers use one name, so that those who are killed leave one file at most, and the lock keeps
/// them apart.
OwnedFd open_draft(int root_fd) {
  OwnedFd fd(::openat(root_fd, kDraftName, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                      0600));
  struct stat opened {};
  struct stat named {};
  if (!fd || ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0 || ::fstat(fd.get(), &opened) != 0 ||
      ::fstatat(root_fd, kDraftName, &named, AT_SYMLINK_NOFOLLOW) != 0) {
    return OwnedFd();
  }
  // Who had the lock before may have made it the index since it was opened here.
  const bool still = opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
  if (!still || !S_ISREG(opened.st_mode) || ::ftruncate(fd.get(), 0) != 0) return OwnedFd();
  return fd;
}

}  // namespace

FinishedIndex read_finished(int root_fd) {
  std::string bytes;
  if (!read_file(root_fd, kName, kMaxBytes, bytes)) return FinishedIndex();
  return FinishedIndex(std::move(bytes));
}

void write_finished(int root_fd, const std::vector<ListedApp>& apps) {
  const OwnedFd draft = open_draft(root_fd);
  if (!draft) return;
  const std::string bytes = finished_index_bytes(apps);
  // Not forced to the disk: what a crash of the machine leaves has a wrong checksum, and is
  // ignored.
  const bool done = bytes.size() <= kMaxBytes && write_all(draft.get(), bytes) &&
                    ::renameat(root_fd, kDraftName, root_fd, kName) == 0;
  if (!done) ::unlinkat(root_fd, kDraftName, 0);  // before the lock goes: it is still this writer's
}

}  // namespace slipway::local
