#include "plugins/local/engine/app_ref.hpp"

#include <fcntl.h>

#include <cerrno>

#include "plugins/local/engine/file_io.hpp"

namespace slipway::local {

bool is_safe_name(std::string_view name) {
  return !name.empty() && name.size() <= 255 && name.front() != '.' &&
         name.find_first_of(std::string_view("/\0", 2)) == std::string_view::npos;
}

std::string app_dir_path(const AppRef& app) {
  return app.state_root + '/' + app.session + '/' + app.app_id;
}

OwnedFd open_app_dir(const AppRef& app) {
  if (!is_safe_name(app.session) || !is_safe_name(app.app_id)) return OwnedFd();
  constexpr int kFlags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  OwnedFd root(::open(app.state_root.c_str(), kFlags));
  OwnedFd dir;
  if (root) dir = open_below(root.get(), app.session + '/' + app.app_id, kFlags);
  if (dir || errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == ENAMETOOLONG)
    return dir;
  throw system_error(errno == EACCES ? Code::kDenied : Code::kUnavailable, "cannot open",
                     app_dir_path(app), errno);
}

}  // namespace slipway::local
