#include "tests/bench/scratch_home.hpp"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace slipway::bench {
namespace {

[[noreturn]] void cannot(const std::string& action, const std::string& path) {
  throw std::system_error(errno, std::generic_category(), "cannot " + action + " " + path);
}

}  // namespace

ScratchRoot::ScratchRoot()
    : path_((std::filesystem::temp_directory_path() / "slipway-bench-XXXXXX").string()) {
  if (::mkdtemp(path_.data()) == nullptr) cannot("create", path_);
}

ScratchRoot::~ScratchRoot() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

ScratchHome::ScratchHome(const ScratchRoot& root, const std::string& name)
    : path_(root.path() + '/' + name) {
  if (::mkdir(path_.c_str(), 0700) != 0) cannot("create", path_);
  for (const char* variable : {"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME",
                               "XDG_DATA_HOME", "XDG_RUNTIME_DIR"}) {
    ::setenv(variable, path_.c_str(), 1);
  }
  for (const char* variable : {"SLIPWAY_PLUGIN_PATH", "SLIPWAY_NO_PLUGINS", "SLIPWAY_LOCAL_GPUS"})
    ::unsetenv(variable);
  if (::chdir(path_.c_str()) != 0) cannot("enter", path_);
}

std::string ScratchHome::file_of_app(const std::string& name) const {
  for (auto entry = std::filesystem::recursive_directory_iterator(path_);
       entry != std::filesystem::recursive_directory_iterator(); ++entry) {
    if (entry->path().filename() == name) return entry->path().string();
    // The logs of thousands of replicas take long to look through.
    if (entry->path().filename() == "logs") entry.disable_recursion_pending();
  }
  throw std::runtime_error("the app has no " + name);
}

}  // namespace slipway::bench
