#include "plugins/local/engine/attempt_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include "plugins/local/engine/checksum.hpp"
#include "plugins/local/engine/file_io.hpp"

namespace slipway::local {
namespace {

constexpr std::uint64_t kGrowth = 1024;  // entries

std::uint32_t checksum(const AttemptEntry& entry) {
  char bytes[sizeof entry];
  std::memcpy(bytes, &entry, sizeof entry);
  return crc32(std::string_view(bytes, sizeof bytes).substr(sizeof entry.crc));
}

}  // namespace

void create_attempts(int dir_fd, std::uint64_t entries) {
  const OwnedFd fd(
      ::openat(dir_fd, kAttemptsName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  int error = fd ? 0 : errno;
  if (fd)
    error = ::posix_fallocate(fd.get(), 0, static_cast<off_t>(entries * sizeof(AttemptEntry)));
  if (error != 0) throw system_error(Code::kCantCreate, "cannot write", kAttemptsName, error);
}

std::vector<AttemptEntry> read_attempts(int dir_fd, std::uint64_t count) {
  std::vector<AttemptEntry> entries;
  if (count == 0) return entries;
  const OwnedFd fd(::openat(dir_fd, kAttemptsName, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat info {};
  if (!fd || ::fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode)) return entries;
  count = std::min(count, static_cast<std::uint64_t>(info.st_size) / sizeof(AttemptEntry));
  std::string bytes(static_cast<std::size_t>(count * sizeof(AttemptEntry)), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n =
        ::pread(fd.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  for (std::size_t at = 0; at + sizeof(AttemptEntry) <= done; at += sizeof(AttemptEntry)) {
    AttemptEntry entry{};
    std::memcpy(&entry, bytes.data() + at, sizeof entry);
    if (entry.crc == checksum(entry)) entries.push_back(entry);
  }
  return entries;
}

std::uint64_t room_for_attempts(int dir_fd) {
  struct stat info {};
  if (::fstatat(dir_fd, kAttemptsName, &info, AT_SYMLINK_NOFOLLOW) != 0) return 0;
  return static_cast<std::uint64_t>(info.st_size) / sizeof(AttemptEntry);
}

AttemptLog::AttemptLog(int dir_fd)
    : fd_(::openat(dir_fd, kAttemptsName, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)) {
  struct stat info {};
  if (fd_ && ::fstat(fd_.get(), &info) == 0) {
    room_ = static_cast<std::uint64_t>(info.st_size) / sizeof(AttemptEntry);
  }
}

bool AttemptLog::reserve(std::uint64_t entries) {
  if (entries <= room_ || !fd_) return true;
  const std::uint64_t room = entries + kGrowth;
  errno = ::posix_fallocate(fd_.get(), 0, static_cast<off_t>(room * sizeof(AttemptEntry)));
  if (errno != 0) return false;
  room_ = room;
  return true;
}

bool AttemptLog::put(std::uint64_t position, AttemptEntry entry) {
  if (!fd_) return errno = ENOENT, false;
  entry.crc = checksum(entry);
  const auto offset = static_cast<off_t>(position * sizeof entry);
  ssize_t n = 0;
  do {
    n = ::pwrite(fd_.get(), &entry, sizeof entry, offset);
  } while (n < 0 && errno == EINTR);
  return n == static_cast<ssize_t>(sizeof entry);
}

}  // namespace slipway::local
