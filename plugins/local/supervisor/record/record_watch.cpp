#include "plugins/local/supervisor/record/record_watch.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "plugins/local/engine/clocks.hpp"

namespace slipway::local {
namespace {

constexpr std::int64_t kCheckAfterNs = 1'000'000'000;

}  // namespace

RecordWatch::RecordWatch(int dir_fd) : dir_fd_(dir_fd) {
  // A descriptor of its own: of the processes that share an open file, the kernel signals the one
  // that asked first, and the warden, which may become the successor, shares dir_fd.
  signalling_dir_.reset(::openat(dir_fd_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (signalling_dir_)
    ::fcntl(signalling_dir_.get(), F_NOTIFY, DN_DELETE | DN_RENAME | DN_MULTISHOT);
}

void RecordWatch::file_removed() { due_ns_ = boottime_ns() + kCheckAfterNs; }

bool RecordWatch::finds_removal(std::int64_t now_ns) {
  if (due_ns_ > now_ns) return false;
  due_ns_ = kNever;
  struct stat ours {};
  // On NFS a directory that another machine has removed is stale. The kernel signals only removals
  // by this machine, so the directory's removal is found at the next one of those.
  return ::fstat(dir_fd_, &ours) == 0 ? ours.st_nlink == 0 : errno == ESTALE;
}

}  // namespace slipway::local
