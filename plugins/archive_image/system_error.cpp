#include "plugins/archive_image/system_error.hpp"

#include "sdk/support/system_error.hpp"

namespace slipway::archive_image {

namespace {

Code code_of(int reason) {
  switch (reason) {
    case ENOSPC:
    case EDQUOT:
    case EROFS: return Code::kCantCreate;
    case EACCES:
    case EPERM: return Code::kDenied;
    case ENOENT:
    case ENOTDIR: return Code::kNotFound;
    default: return Code::kUnavailable;
  }
}

}  // namespace

Error system_error(const std::string& what, int reason) {
  const Code code = code_of(reason);
  const char* const hint =
      code == Code::kCantCreate
          ? "images are unpacked below $XDG_CACHE_HOME/slipway/images: make room there, or set "
            "XDG_CACHE_HOME to a directory that has some"
          : "";
  return slipway::system_error(code, "cannot", what, reason, hint);
}

}  // namespace slipway::archive_image
