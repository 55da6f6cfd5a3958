#include "sdk/support/installed_helper.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

#include "sdk/support/installed_files.hpp"
#include "slipway/error.hpp"

namespace slipway {

namespace fs = std::filesystem;

namespace {

/// Returns the path of the calling plug-in's library without symbolic links.
fs::path own_library() {
  Dl_info info{};
  std::error_code error;
  // This library is linked into each plug-in, so its functions are in the plug-in's file.
  const bool is_known = ::dladdr(reinterpret_cast<const void*>(&installed_helper), &info) != 0 &&
                        info.dli_fname != nullptr;
  const fs::path library = is_known ? fs::canonical(info.dli_fname, error) : fs::path();
  if (library.empty())
    throw Error(Code::kUnavailable, "cannot find out where this plug-in was loaded from");
  return library;
}

}  // namespace

std::string installed_helper(const std::string& name) {
  const fs::path library = own_library();
  std::string program = (prefix_of_library(library) / "libexec" / "slipway" / name).string();
  check_installed_program(program, library.string());
  return program;
}

std::string installed_script(const std::string& name) {
  const fs::path library = own_library();
  std::string script =
      (prefix_of_library(library) / "share" / "slipway" / "python" / name).string();
  check_installed_script(script, library.string());
  return script;
}

}  // namespace slipway
