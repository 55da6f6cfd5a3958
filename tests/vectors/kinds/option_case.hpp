// Converts declared run options and their values from and to the vectors' JSON.
#pragma once

#include <string>
#include <string_view>

#include "slipway/run_opts.hpp"
#include "tests/vectors/vector_case.hpp"

namespace slipway::vectors {

/// Returns the options of `opts`, added one by one. Throws Error if Slipway refuses one.
RunOpts declared_options(const VectorCase& one);

/// Returns the type that TorchX calls `List[str]`, `list[str]`, `int`, …
ValueType option_type(std::string_view name);

/// Returns run options with the types of their JSON values. Throws Error for a value that no run
/// option can have.
Dict<Value> option_values(const json::value& options);

/// Returns a value in the vectors' JSON: a float that JSON cannot hold is {"$float": "inf"}.
json::value vector_json(const Value& value);
json::object vector_json(const Dict<Value>& values);

}  // namespace slipway::vectors
