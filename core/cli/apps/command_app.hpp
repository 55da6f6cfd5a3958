// The app of `slipway run -- PROGRAM ARG…`.
#pragma once

#include <cstdint>

#include "slipway/app.hpp"

namespace slipway::cli {

/// Returns an app of one role that runs `words`: the program and its arguments, at least one word.
/// App and role get the program's name. Replicas get the words unchanged: macros in them are not
/// replaced.
AppDef command_app(const StrList& words, std::int32_t num_replicas);

}  // namespace slipway::cli
