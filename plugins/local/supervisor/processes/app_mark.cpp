#include "plugins/local/supervisor/processes/app_mark.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "plugins/local/engine/file_io.hpp"
#include "sdk/support/ownership.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

/// The kernel starts no program with a larger environment.
constexpr std::size_t kMostEnvironment = std::size_t{8} << 20U;  // bytes

}  // namespace

std::string app_mark(int dir_fd) {
  const std::string path = directory_path(dir_fd);
  if (path.empty())
    throw system_error(Code::kUnavailable, "cannot find out the name of", "the app's directory",
                       errno, "is /proc mounted?");
  return std::string(kAppMarkName) + '=' + path;
}

bool has_mark(std::int32_t pid, std::string_view mark) {
  char path[32];
  std::snprintf(path, sizeof path, "/proc/%d/environ", pid);
  const OwnedFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  // A zero byte ends each entry. With one in front of the first, all entries look the same.
  std::string wanted(1, '\0');
  wanted.append(mark).push_back('\0');
  std::string window(1, '\0');
  char buffer[4096];
  std::size_t total = 0;
  for (ssize_t n = 0;
       fd && total < kMostEnvironment && (n = ::read(fd.get(), buffer, sizeof buffer)) > 0;) {
    total += static_cast<std::size_t>(n);
    window.append(buffer, static_cast<std::size_t>(n));
    if (window.find(wanted) != std::string::npos) return true;
    // The mark may begin in this piece and end in the next.
    if (window.size() > wanted.size()) window.erase(0, window.size() - wanted.size());
  }
  return false;
}

void remove_mark(std::string_view mark) {
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (mark == *entry) std::memset(*entry, '_', mark.size());
  }
}

}  // namespace slipway::local
