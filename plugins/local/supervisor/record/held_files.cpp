#include "plugins/local/supervisor/record/held_files.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <utility>

namespace slipway::local {

std::vector<OwnedFd> hold_files(const std::vector<std::string>& paths) {
  std::vector<OwnedFd> out;
  for (const std::string& path : paths) {
    OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (fd && ::flock(fd.get(), LOCK_SH | LOCK_NB) == 0) out.push_back(std::move(fd));
  }
  return out;
}

}  // namespace slipway::local
