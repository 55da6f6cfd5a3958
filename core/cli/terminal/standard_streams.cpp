#include "core/cli/terminal/standard_streams.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "core/cli/terminal/live_area.hpp"
#include "core/cli/terminal/plugin_output.hpp"
#include "slipway/error.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::cli {

namespace {

std::atomic<bool> is_inside_line{false};  // the last byte on standard error ended no line

/// Waits until a non-blocking descriptor can be read or written, or a signal arrives.
void wait_until_ready(int fd, short events) {
  pollfd ready{fd, events, 0};
  ::poll(&ready, 1, -1);
}

}  // namespace

void reserve_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0) continue;
    // open() takes the lowest free number, which is fd. Because the direction is wrong, reading and
    // writing fail as they would on the closed descriptor.
    ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

std::string read_standard_input() {
  constexpr std::size_t kLargestInput = 64u << 20;
  std::string out;
  char buffer[8 * 1024];
  while (true) {
    const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (got == 0) return out;
    if (got < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN) {
        wait_until_ready(STDIN_FILENO, POLLIN);
        continue;
      }
      throw Error(Code::kUnavailable,
                  std::string("cannot read standard input: ") + std::strerror(errno));
    }
    out.append(buffer, static_cast<std::size_t>(got));
    if (out.size() > kLargestInput)
      throw Error(Code::kInvalid, "standard input is larger than 64 MiB");
  }
}

void survive_broken_pipes() {
  struct sigaction action {};
  // A handler and not SIG_IGN, which programs that this process starts would inherit.
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGPIPE, &action, nullptr);
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      wait_until_ready(fd, POLLOUT);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

bool write_stream(int fd, std::string_view bytes) {
  if (fd == STDERR_FILENO && !bytes.empty()) is_inside_line = !bytes.ends_with('\n');
  return LiveArea::write_above(fd, bytes);
}

void write_message(const std::string& line) {
  write_stream(STDERR_FILENO, is_inside_line ? "\n" + line : line);
}

void write_output(std::string_view text) { write_bytes(visible_text(text)); }

void write_bytes(std::string_view bytes) {
  if (!write_stream(standard_output(), bytes)) {
    throw Error(Code::kCantCreate,
                std::string("cannot write to standard output: ") + std::strerror(errno));
  }
}

}  // namespace slipway::cli
