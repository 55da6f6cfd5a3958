#include "plugins/local/engine/kernel_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

std::string kernel_file(const std::string& path) {
  constexpr std::size_t kMost = 16U << 20U;
  std::string out;
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char buffer[4096];
  while (fd && out.size() < kMost) {
    const ssize_t n = ::read(fd.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return {};
    if (n == 0) break;
    out.append(buffer, static_cast<std::size_t>(n));
  }
  return out;
}

}  // namespace slipway::local
