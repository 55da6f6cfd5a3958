#include "core/cli/terminal/standard_input.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "slipway/error.hpp"

namespace slipway::cli {

namespace {

constexpr std::size_t kLargestInput = 64u << 20;

}  // namespace

std::string read_standard_input() {
  std::string out;
  char buffer[8 * 1024];
  while (true) {
    const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (got == 0) return out;
    if (got < 0) {
      if (errno == EINTR) continue;
      throw Error(Code::kUnavailable,
                  std::string("cannot read standard input: ") + std::strerror(errno));
    }
    out.append(buffer, static_cast<std::size_t>(got));
    if (out.size() > kLargestInput)
      throw Error(Code::kInvalid, "standard input is larger than 64 MiB");
  }
}

}  // namespace slipway::cli
