// The place of an error as a position.
#pragma once

#include "core/spec/problem.hpp"
#include "slipway/error.hpp"

namespace slipway::cli {

/// `where()` of an error, which is a text, read back: `file:line:column`, or a file alone.
spec::Position error_position(const Error& error);

}  // namespace slipway::cli
