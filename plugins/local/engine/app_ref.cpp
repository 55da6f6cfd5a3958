#include "plugins/local/engine/app_ref.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <utility>

#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/machine_identity.hpp"
#include "sdk/support/ownership.hpp"

namespace slipway::local {

bool is_safe_name(std::string_view name) {
  return !name.empty() && name.size() <= 255 && name.front() != '.' &&
         name.find_first_of(std::string_view("/\0", 2)) == std::string_view::npos;
}

std::string app_dir_path(const AppRef& app) {
  return app.state_root + '/' + app.session + '/' + app.app_id;
}

Error no_such_app(const AppRef& app) {
  return Error(Code::kNotFound, "there is no app " + app.app_id + " in session " + app.session);
}

std::string draft_prefix() {
  std::array<char, 32> prefix{};
  std::snprintf(prefix.data(), prefix.size(), ".new-%016" PRIx64 "-", this_machine_tag());
  return prefix.data();
}

std::string draft_name(const std::string& app_id) {
  const std::string prefix = draft_prefix();
  const std::size_t room = 255 - prefix.size();
  return prefix + (app_id.size() > room ? app_id.substr(app_id.size() - room) : app_id);
}

AppDir open_app_dir_to_read(const AppRef& app) {
  AppDir dir;
  if (!is_safe_name(app.session) || !is_safe_name(app.app_id)) return dir;
  constexpr int kFlags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  const OwnedFd root(::open(app.state_root.c_str(), kFlags));
  if (root) dir.fd = open_below(root.get(), app.session + '/' + app.app_id, kFlags);
  if (!dir) {
    // ELOOP: a symbolic link is in its place.
    if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == ENAMETOOLONG) return dir;
    throw system_error(errno == EACCES ? Code::kDenied : Code::kUnavailable, "cannot open",
                       app_dir_path(app), errno);
  }
  dir.distrust = distrust_record(dir.get());
  if (!dir.distrust) return dir;
  struct stat info {};
  if (::geteuid() != 0 || ::fstat(dir.get(), &info) != 0) refuse_record(dir.distrust);
  dir.other_owner = info.st_uid;
  return dir;
}

bool is_in_place(const AppRef& app, int dir_fd) {
  struct stat by_fd {};
  struct stat by_name {};
  if (::fstatat(dir_fd, ("../" + app.app_id).c_str(), &by_name, AT_SYMLINK_NOFOLLOW) != 0)
    return errno != ENOENT && errno != ESTALE;  // ESTALE: NFS, for a removed directory
  return ::fstat(dir_fd, &by_fd) != 0 || is_same_file(by_fd, by_name);
}

OwnedFd open_app_dir(const AppRef& app) {
  AppDir dir = open_app_dir_to_read(app);
  if (dir.distrust) refuse_record(dir.distrust);
  return std::move(dir.fd);
}

}  // namespace slipway::local
