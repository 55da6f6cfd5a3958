#include "plugins/local/logs/log_limit.hpp"

#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <utility>

#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

// LogLimit gives back only whole pages.
constexpr std::uint64_t kPage = 4096;

/// Returns whether `bytes` may contain a hole: then the first or last byte of a page is NUL.
bool may_hold_hole(std::uint64_t offset, std::string_view bytes) {
  if (bytes.empty()) return false;
  if (bytes.front() == '\0' || bytes.back() == '\0') return true;
  for (std::size_t page = kPage - offset % kPage; page < bytes.size(); page += kPage) {
    if (bytes[page - 1] == '\0' || bytes[page] == '\0') return true;
  }
  return false;
}

}  // namespace

bool LogLimit::apply(std::uint32_t replica, LimitedFile file, const char* path,
                     std::uint64_t size) {
  const auto piece = static_cast<std::uint64_t>(rules_.piece_bytes);
  const auto keep = static_cast<std::uint64_t>(rules_.keep_pieces);
  const std::uint64_t full = size / piece;
  if (full <= keep) return true;
  if (replica >= freed_.size()) freed_.resize(std::size_t{replica} + 1);
  const auto end = static_cast<std::uint32_t>(full - keep);
  const std::uint32_t begin = std::exchange(freed_[replica][static_cast<std::size_t>(file)], end);
  if (end <= begin) return true;
  const OwnedFd fd(::openat(root_, path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!fd) return errno == ENOENT;
  // From the start of the file, because an earlier call may have failed. Holes cost nothing.
  return ::fallocate(fd.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
                     static_cast<off_t>(end * piece)) == 0;
}

bool in_hole(int fd, std::uint64_t offset, std::string_view bytes, std::uint64_t& next) {
  if (!may_hold_hole(offset, bytes)) return false;
  struct stat status {};
  if (::fstat(fd, &status) != 0) return false;
  const off_t data = ::lseek(fd, static_cast<off_t>(offset), SEEK_DATA);
  if (data < 0 && errno != ENXIO) return false;
  // ENXIO: there was only a hole up to the end when the call began.
  next = data < 0 ? std::max(offset + bytes.size(), static_cast<std::uint64_t>(status.st_size))
                  : static_cast<std::uint64_t>(data);
  return next != offset;
}

}  // namespace slipway::local
