#include "core/cli/stream_write.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "slipway/error.hpp"

namespace slipway::cli {

bool write_stream(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd ready{fd, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

void write_output(std::string_view bytes) {
  if (!write_stream(STDOUT_FILENO, bytes)) {
    throw Error(Code::kCantCreate,
                std::string("cannot write to standard output: ") + std::strerror(errno));
  }
}

}  // namespace slipway::cli
