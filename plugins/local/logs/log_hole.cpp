#include "plugins/local/logs/log_hole.hpp"

#include <unistd.h>

#include <cerrno>

namespace slipway::local {

bool in_hole(int fd, std::uint64_t offset, std::string_view bytes, std::uint64_t& next) {
  if (bytes.find('\0') == std::string_view::npos) return false;
  const off_t data = ::lseek(fd, static_cast<off_t>(offset), SEEK_DATA);
  // ENXIO: nothing but a hole until the end.
  if (data < 0 && errno != ENXIO) return false;
  next = data < 0 ? offset + bytes.size() : static_cast<std::uint64_t>(data);
  return next != offset;
}

}  // namespace slipway::local
