// Finds the differences between two runs of an app, for `rerun`.
#pragma once

#include <string>
#include <vector>

#include "slipway/run_record.hpp"

namespace slipway::cli {

/// Returns a line for each difference: versions, machine, directory, revision, run options, names
/// of variables. A fact that one of the records lacks is not a difference. Also returns a line for
/// each run whose files differed from their git revision.
std::vector<std::string> run_differences(const RunRecord& before, const RunRecord& now);

}  // namespace slipway::cli
