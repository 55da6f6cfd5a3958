#include "sdk/support/installed_helper.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

#include "slipway/error.hpp"

namespace slipway {

namespace fs = std::filesystem;

std::string installed_prefix() {
  Dl_info info{};
  std::error_code error;
  // This library is linked into each plug-in, so its functions are in the plug-in's file.
  const bool is_known = ::dladdr(reinterpret_cast<const void*>(&installed_prefix), &info) != 0 &&
                        info.dli_fname != nullptr;
  // <prefix>/lib/slipway/<plug-in>
  const fs::path library = is_known ? fs::canonical(info.dli_fname, error) : fs::path();
  if (library.empty())
    throw Error(Code::kUnavailable, "cannot find out where this plug-in was loaded from");
  return library.parent_path().parent_path().parent_path().string();
}

std::string installed_helper(const std::string& name) {
  const fs::path helper = fs::path(installed_prefix()) / "libexec" / "slipway" / name;
  std::error_code error;
  if (!fs::exists(helper, error)) {
    throw Error(Code::kUnavailable, "the program " + helper.string() + " is missing",
                "the installation is incomplete: install Slipway again");
  }
  return helper.string();
}

}  // namespace slipway
