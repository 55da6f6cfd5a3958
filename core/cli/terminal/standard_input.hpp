// Standard input as one text.
#pragma once

#include <string>

namespace slipway::cli {

/// Everything up to the end. Throws Error kInvalid for more than 64 MiB, kUnavailable when it
/// cannot be read.
std::string read_standard_input();

}  // namespace slipway::cli
