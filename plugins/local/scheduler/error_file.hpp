// The error files that replicas write (TORCHELASTIC_ERROR_FILE).
#pragma once

#include <map>
#include <string>
#include <utility>

#include "plugins/local/engine/app_ref.hpp"
#include "plugins/local/engine/app_state.hpp"

namespace slipway::local {

struct ErrorFiles {
  std::map<std::pair<std::string, std::int32_t>, std::string>
      by_replica;     ///< JSON text by role and replica
  std::string first;  ///< the text of the file that was written first; empty if there is no file
};

/// Reads the error files that the app's record names, and formats their JSON as Python's json.dumps
/// does. Leaves out a file that is missing, larger than 1 MiB or not JSON. (The status command of
/// TorchX fails then.)
ErrorFiles read_error_files(const AppRef& ref, const AppSnapshot& app);

}  // namespace slipway::local
