#include "plugins/local/scheduler/helper_path.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

#include "slipway/error.hpp"

namespace slipway::local {
namespace {

std::string find_helper() {
  Dl_info info{};
  std::error_code error;
  if (::dladdr(reinterpret_cast<const void*>(&helper_path), &info) == 0 ||
      info.dli_fname == nullptr) {
    throw Error(Code::kUnavailable, "cannot tell where this plug-in was loaded from");
  }
  // <prefix>/lib/slipway/<plug-in>
  const std::filesystem::path library = std::filesystem::canonical(info.dli_fname, error);
  const std::filesystem::path prefix = library.parent_path().parent_path().parent_path();
  const std::filesystem::path helper = prefix / "libexec" / "slipway" / "slipway-local-supervisor";
  if (error || !std::filesystem::exists(helper, error)) {
    throw Error(Code::kUnavailable,
                "the local scheduler's program " + helper.string() + " is missing",
                "the installation is incomplete: install Slipway again");
  }
  return helper.string();
}

}  // namespace

std::string helper_path() {
  // Asked for at every look at an app, and always the same.
  static const std::string path = find_helper();
  return path;
}

}  // namespace slipway::local
