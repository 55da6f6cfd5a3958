// The record of a run, as comments at the end of an app file.
#pragma once

#include <string>

#include "slipway/run_record.hpp"

namespace slipway::cli {

/// Returns lines that start with `#`, so that an app file with these lines is still an app file.
std::string run_record_text(const RunRecord& record);

}  // namespace slipway::cli
