#include "sdk/support/installed_helper.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

#include "slipway/error.hpp"

namespace slipway {

std::string installed_helper(const std::string& name) {
  Dl_info info{};
  std::error_code error;
  // This library is a part of each plug-in, so the address of a function of it is one of the
  // plug-in's.
  if (::dladdr(reinterpret_cast<const void*>(&installed_helper), &info) == 0 ||
      info.dli_fname == nullptr) {
    throw Error(Code::kUnavailable, "cannot find out where this plug-in was loaded from");
  }
  // <prefix>/lib/slipway/<plug-in>
  const std::filesystem::path library = std::filesystem::canonical(info.dli_fname, error);
  const std::filesystem::path prefix = library.parent_path().parent_path().parent_path();
  const std::filesystem::path helper = prefix / "libexec" / "slipway" / name;
  if (error || !std::filesystem::exists(helper, error)) {
    throw Error(Code::kUnavailable, "the program " + helper.string() + " is missing",
                "the installation is incomplete: install Slipway again");
  }
  return helper.string();
}

}  // namespace slipway
