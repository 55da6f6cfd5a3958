// What a run was made of, as comments at the end of an app file.
#pragma once

#include <string>

#include "slipway/run_record.hpp"

namespace slipway::cli {

/// Returns lines that start with `#`, so that the text after an app file leaves it one.
std::string run_record_text(const RunRecord& record);

}  // namespace slipway::cli
