// The app of a case.
#pragma once

#include "slipway/app.hpp"
#include "tests/vectors/vector_case.hpp"

namespace slipway::vectors {

/// The member `app` of `input`, which is an app file as JSON. Throws BenchError when it cannot be read: that is not the
/// refusal which a case may expect.
AppDef read_app(const json::object& input);

}  // namespace slipway::vectors
