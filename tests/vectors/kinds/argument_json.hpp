// Converts arguments of components from and to the JSON of the vectors.
#pragma once

#include <boost/json.hpp>

#include "slipway/options.hpp"
#include "tests/vectors/vector_case.hpp"

namespace slipway::vectors {

/// Convert a JSON value (including `{"$float": "inf"}`) to an argument's value and back. Throws
/// BenchError for a value that no argument can have.
Value to_value(const json::value& value);
json::value from_value(const Value& value);

}  // namespace slipway::vectors
