#include "core/config/config_text.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "sdk/support/permission_hint.hpp"
#include "slipway/error.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::config {

namespace {

[[noreturn]] void cannot_read(const std::string& path, int error) {
  const std::string why = "it cannot be read: " + std::generic_category().message(error);
  switch (error) {
    case EACCES:
    case EPERM: throw Error(Code::kDenied, why, permission_hint(path, "r"));
    // The path itself is wrong, so a later attempt fails too.
    case ELOOP:
    case ENAMETOOLONG:
    case ENXIO:
    case EINVAL: throw Error(Code::kConfig, why);
    default: throw Error(Code::kTemporary, why);
  }
}

}  // namespace

std::optional<std::string> read_config_text(const std::string& path, const FileCheck& check_trust) {
  // O_PATH does not open the file itself: opening a device, such as a watchdog, can have effects.
  const OwnedFd path_fd(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!path_fd && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
  struct stat st {};
  if (!path_fd || ::fstat(path_fd.get(), &st) != 0) cannot_read(path, errno);
  if (!S_ISREG(st.st_mode)) {
    throw Error(Code::kConfig,
                S_ISDIR(st.st_mode) ? "it is a directory" : "it is not a regular file");
  }
  if (check_trust) check_trust(st);
  // Opens the file that was checked, even if `path` names another one by now.
  const std::string by_descriptor = "/proc/self/fd/" + std::to_string(path_fd.get());
  const OwnedFd file(::open(by_descriptor.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) cannot_read(path, errno);
  std::string text;
  char buffer[8 * 1024];
  for (;;) {
    const ssize_t got = ::read(file.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannot_read(path, errno);
    if (got == 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
    if (text.size() > kMaxConfigBytes) throw Error(Code::kConfig, "it is larger than 1 MiB");
  }
}

}  // namespace slipway::config
