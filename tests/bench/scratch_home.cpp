#include "tests/bench/scratch_home.hpp"

#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace slipway::bench {

ScratchHome::ScratchHome()
    : path_((std::filesystem::temp_directory_path() / "slipway-bench-XXXXXX").string()) {
  if (::mkdtemp(path_.data()) == nullptr)
    throw std::system_error(errno, std::generic_category(), "cannot create " + path_);
  for (const char* name : {"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME",
                           "XDG_DATA_HOME", "XDG_RUNTIME_DIR"}) {
    ::setenv(name, path_.c_str(), 1);
  }
  for (const char* name : {"SLIPWAY_PLUGIN_PATH", "SLIPWAY_NO_PLUGINS", "SLIPWAY_LOCAL_GPUS"})
    ::unsetenv(name);
}

ScratchHome::~ScratchHome() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace slipway::bench
