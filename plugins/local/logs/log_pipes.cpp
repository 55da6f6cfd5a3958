#include "plugins/local/logs/log_pipes.hpp"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "plugins/local/engine/log_rules.hpp"

namespace slipway::local {
namespace {

constexpr std::array<std::string_view, 2> kPipes = {kStdoutPipe, kStderrPipe};
constexpr std::array<std::string_view, 2> kFiles = {kStdoutName, kStderrName};

/// Opens both ends, because a pipe without writers keeps epoll awake.
OwnedFd open_pipe(int root, const std::string& path) {
  OwnedFd fd(::openat(root, path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW));
  struct stat status {};
  if (!fd || ::fstat(fd.get(), &status) != 0 || !S_ISFIFO(status.st_mode)) return OwnedFd();
  return fd;
}

bool has_bytes(int pipe) {
  int count = 0;
  return pipe >= 0 && ::ioctl(pipe, FIONREAD, &count) == 0 && count > 0;
}

/// Moves bytes from the pipe to the end of the file, inside the kernel. Returns 0, or the errno
/// value that explains why the rest stays in the pipe.
int move_bytes(int pipe, int file, std::uint64_t limit, std::uint64_t& moved) {
  constexpr std::size_t kPiece = 1024 * 1024;
  // splice() refuses a file that is open with O_APPEND.
  off_t end = ::lseek(file, 0, SEEK_END);
  while (moved < limit) {
    const ssize_t length = ::splice(pipe, nullptr, file, &end, kPiece, SPLICE_F_NONBLOCK);
    if (length < 0 && errno == EINTR) continue;
    if (length < 0) return errno == EAGAIN ? 0 : errno;
    if (length == 0) return 0;
    moved += static_cast<std::uint64_t>(length);
  }
  return 0;
}

}  // namespace

void LogPipes::add(std::uint32_t replica, const std::string& path) {
  Pipes& pipes = pipes_[replica];
  pipes.path = path;
  for (std::size_t i = 0; i < 2; ++i) {
    if (pipes.ends[i]) continue;
    pipes.ends[i] = open_pipe(root_, path + std::string(kPipes[i]));
    epoll_event interest{};
    if (pipes.ends[i]) ::epoll_ctl(epoll_, EPOLL_CTL_ADD, pipes.ends[i].get(), &interest);
  }
}

void LogPipes::arm(std::uint32_t replica) {
  const auto found = pipes_.find(replica);
  if (found == pipes_.end()) return;
  epoll_event interest{};
  interest.events = EPOLLIN | EPOLLONESHOT;
  interest.data.u64 = kTag | replica;
  for (const OwnedFd& end : found->second.ends) {
    if (end) ::epoll_ctl(epoll_, EPOLL_CTL_MOD, end.get(), &interest);
  }
}

LogPipes::Copied LogPipes::copy(std::uint32_t replica, std::uint64_t limit) {
  Copied copied;
  const auto found = pipes_.find(replica);
  if (found == pipes_.end()) return copied;
  const Pipes& pipes = found->second;
  for (std::size_t i = 0; i < 2; ++i) {
    if (!has_bytes(pipes.ends[i].get())) continue;
    constexpr int kFlags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    const OwnedFd file(
        ::openat(root_, (pipes.path + std::string(kFiles[i])).c_str(), kFlags, 0644));
    std::uint64_t moved = 0;
    const int error = file ? move_bytes(pipes.ends[i].get(), file.get(), limit, moved) : errno;
    copied.bytes += moved;
    if (error == 0) continue;
    copied.error = error;
    copied.name = kFiles[i];
  }
  return copied;
}

void LogPipes::close_all() {
  for (const auto& [replica, pipes] : pipes_) {
    for (const std::string_view name : kPipes)
      ::unlinkat(root_, (pipes.path + std::string(name)).c_str(), 0);
  }
  pipes_.clear();
}

}  // namespace slipway::local
