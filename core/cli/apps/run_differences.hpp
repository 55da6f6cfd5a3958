// What differs between two runs of an app, for `rerun`.
#pragma once

#include <string>
#include <vector>

#include "slipway/run_record.hpp"

namespace slipway::cli {

/// Returns a line for each difference: versions, machine, directory, revision, run options, names
/// of variables. What one of the records does not know is no difference.
std::vector<std::string> run_differences(const RunRecord& before, const RunRecord& now);

}  // namespace slipway::cli
