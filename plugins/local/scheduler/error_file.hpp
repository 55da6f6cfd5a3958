// What replicas leave in their error files (TORCHELASTIC_ERROR_FILE).
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
  std::string first;  ///< the text of the file that was written first; empty: there is none
};

/// Reads the error files that the app's record knows of. Their JSON is written the way Python's
/// json.dumps does it; a file that is gone, larger than 1 MiB or not JSON is left out (TorchX's
/// status fails there).
ErrorFiles read_error_files(const AppRef& ref, const AppSnapshot& app);

/// One JSON document with ", " and ": " between its parts and everything outside ASCII escaped;
/// empty when `text` is not JSON.
std::string python_json(const std::string& text);

}  // namespace slipway::local
