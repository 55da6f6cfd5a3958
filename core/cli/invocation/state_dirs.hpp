// `state_dir` of [scheduler.NAME]: where schedulers keep their records.
#pragma once

#include <string>
#include <vector>

#include "core/config/settings.hpp"

namespace slipway::cli {

/// Returns the state directory of each scheduler that files name one for, by
/// RunnerOptions::state_dirs. Values that check_state_dirs() reports are left out.
Dict<std::string> state_dirs(const config::Settings& settings);

/// Appends a problem (kConfig) for each `state_dir` that is not an absolute path.
void check_state_dirs(const config::Settings& settings, std::vector<spec::Problem>& problems);

}  // namespace slipway::cli
