#include "plugins/local/engine/attempt_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
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
  const OwnedFd fd = create_private_file(dir_fd, kAttemptsName, O_WRONLY);
  int error = fd ? 0 : errno;
  if (fd)
    error = ::posix_fallocate(fd.get(), 0, static_cast<off_t>(entries * sizeof(AttemptEntry)));
  if (error != 0) throw system_error(Code::kCantCreate, "cannot write", kAttemptsName, error);
}

namespace {

/// The first `most` entries of the file, as they are.
std::vector<AttemptEntry> read_entries(int dir_fd, std::uint64_t most) {
  struct stat info {};
  const OwnedFd fd = open_regular(dir_fd, kAttemptsName, O_RDONLY, &info);
  if (!fd) return {};
  std::vector<AttemptEntry> entries(static_cast<std::size_t>(
      std::min(most, static_cast<std::uint64_t>(info.st_size) / sizeof(AttemptEntry))));
  char* const bytes = reinterpret_cast<char*>(entries.data());
  std::size_t done = 0;
  while (done < entries.size() * sizeof(AttemptEntry)) {
    const ssize_t n = ::pread(fd.get(), bytes + done, entries.size() * sizeof(AttemptEntry) - done,
                              static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  entries.resize(done / sizeof(AttemptEntry));
  return entries;
}

bool is_valid(const AttemptEntry& entry) { return entry.crc == checksum(entry); }

}  // namespace

std::vector<AttemptEntry> read_attempts(int dir_fd, std::uint64_t count) {
  if (count == 0) return {};
  std::vector<AttemptEntry> entries = read_entries(dir_fd, count);
  entries.erase(std::remove_if(entries.begin(), entries.end(), std::not_fn(is_valid)),
                entries.end());
  return entries;
}

std::uint64_t count_attempts(int dir_fd) {
  const std::vector<AttemptEntry> entries = read_entries(dir_fd, UINT64_MAX);
  const auto last = std::find_if(entries.rbegin(), entries.rend(), is_valid);
  return static_cast<std::uint64_t>(entries.rend() - last);
}

AttemptLog::AttemptLog(int dir_fd, bool needed) : dir_fd_(dir_fd), needed_(needed) {
  if (needed_) open();
}

bool AttemptLog::open() {
  if (fd_) return true;
  // O_NONBLOCK: a FIFO planted under this name must not hang the writer.
  fd_.reset(::openat(dir_fd_, kAttemptsName,
                     O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
  struct stat info {};
  if (!fd_ || ::fstat(fd_.get(), &info) != 0) return false;
  room_ = static_cast<std::uint64_t>(info.st_size) / sizeof(AttemptEntry);
  return true;
}

bool AttemptLog::reserve(std::uint64_t entries) {
  if (!needed_) return true;
  if (!open()) return false;
  if (entries <= room_) return true;
  const std::uint64_t room = entries + kGrowth;
  errno = ::posix_fallocate(fd_.get(), 0, static_cast<off_t>(room * sizeof(AttemptEntry)));
  if (errno != 0) return false;
  room_ = room;
  return true;
}

bool AttemptLog::put(std::uint64_t position, AttemptEntry entry) {
  if (!open()) return false;
  entry.crc = checksum(entry);
  const auto offset = static_cast<off_t>(position * sizeof entry);
  ssize_t n = 0;
  do {
    n = ::pwrite(fd_.get(), &entry, sizeof entry, offset);
  } while (n < 0 && errno == EINTR);
  return n == static_cast<ssize_t>(sizeof entry);
}

}  // namespace slipway::local
