// Recognizes run options that hold paths.
#pragma once

#include <string_view>

namespace slipway::spec {

/// Returns whether run options of this name hold paths, for every scheduler: extra_paths, job_dir,
/// log_dir and state_dir do. The name decides, because most declarations of options do not say
/// whether the option is a path. Thread safe.
bool is_path_option(std::string_view name);

}  // namespace slipway::spec
