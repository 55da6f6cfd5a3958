#include "core/cli/terminal/stream_write.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "core/cli/terminal/stray_output.hpp"
#include "slipway/error.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::cli {

void reserve_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0) continue;
    // the lowest free number is fd; opened the wrong way round, it takes no data for granted
    ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

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

void write_output(std::string_view text) { write_bytes(visible_text(text)); }

void write_bytes(std::string_view bytes) {
  if (!write_stream(standard_output(), bytes)) {
    throw Error(Code::kCantCreate,
                std::string("cannot write to standard output: ") + std::strerror(errno));
  }
}

}  // namespace slipway::cli
