// Reads the app of a case.
#pragma once

#include "slipway/app.hpp"
#include "tests/vectors/vector_case.hpp"

namespace slipway::vectors {

/// Returns the member `app` of `input`, an app file as JSON. Throws BenchError if it cannot be
/// read, because that is not the refusal that a case may expect.
AppDef read_app(const json::object& input);

}  // namespace slipway::vectors
