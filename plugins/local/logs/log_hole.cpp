#include "plugins/local/logs/log_hole.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace slipway::local {
namespace {

// LogLimit gives back whole ones only.
constexpr std::uint64_t kPage = 4096;

/// Whether there may be a hole in `bytes`: then the first or the last byte of a page in it is NUL.
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
  // ENXIO: nothing but a hole until the end, as it was before the call.
  next = data < 0 ? std::max(offset + bytes.size(), static_cast<std::uint64_t>(status.st_size))
                  : static_cast<std::uint64_t>(data);
  return next != offset;
}

}  // namespace slipway::local
