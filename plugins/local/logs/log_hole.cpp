#include "plugins/local/logs/log_hole.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

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
