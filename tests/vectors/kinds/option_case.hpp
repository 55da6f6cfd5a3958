// What the kinds of run options share: declared options and values in the vectors' JSON.
#pragma once

#include <string>
#include <string_view>

#include "slipway/run_opts.hpp"
#include "tests/vectors/vector_case.hpp"

namespace slipway::vectors {

/// The options of `opts`, added one by one. Throws Error when Slipway refuses one.
RunOpts declared_options(const VectorCase& one);

/// The type that TorchX calls `List[str]`, `list[str]`, `int`, …
ValueType option_type(std::string_view name);

/// Any value, as an option that nobody declared would be read.
Value option_value_of(const std::string& name, const json::value& value);

/// A value as the vectors write it: a float that JSON cannot hold is {"$float": "inf"}.
json::value vector_json(const Value& value);
json::object vector_json(const Dict<Value>& values);

}  // namespace slipway::vectors
