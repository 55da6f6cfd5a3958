#include "plugins/archive_image/system_error.hpp"

#include <system_error>

namespace slipway::archive_image {

Error system_error(const std::string& what, int reason) {
  const std::string message =
      "cannot " + what + ": " + std::error_code(reason, std::generic_category()).message();
  switch (reason) {
    case ENOSPC:
    case EDQUOT:
    case EROFS:
      return Error(Code::kCantCreate, message,
                   "images are unpacked below $XDG_CACHE_HOME/slipway/images: make room there, or "
                   "set XDG_CACHE_HOME to a directory that has some");
    case EACCES:
    case EPERM: return Error(Code::kDenied, message);
    case ENOENT:
    case ENOTDIR: return Error(Code::kNotFound, message);
    default: return Error(Code::kUnavailable, message);
  }
}

}  // namespace slipway::archive_image
