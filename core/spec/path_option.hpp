// Run options that hold paths.
#pragma once

#include <string_view>

namespace slipway::spec {

/// Returns whether run options of this name hold paths, whichever scheduler declares them: extra_paths, job_dir, log_dir,
/// state_dir. Thread safe.
bool is_path_option(std::string_view name);

}  // namespace slipway::spec
