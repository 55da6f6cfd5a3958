// Converts a component of a vector: TorchX's Python signature to a ComponentInfo, and typed values
// to JSON.
#pragma once

#include <boost/json.hpp>
#include <string>

#include "slipway/components.hpp"
#include "tests/vectors/vector_case.hpp"

namespace slipway::vectors {

/// Returns the type that a Slipway component would declare for a Python annotation
/// ("Optional[List[str]]"); Slipway's lists and dicts hold strings. Throws Error(kInvalid) for an
/// annotation without a matching type, as a component file would.
ValueType type_of_annotation(const std::string& annotation);

/// Convert a JSON value (including `{"$float": "inf"}`) to an argument's value and back. Throws
/// BenchError for a value that no argument can have.
Value to_value(const json::value& value);
json::value from_value(const Value& value);

/// Returns [{name, kind, type, default?}] for the vectors `builders`.
ComponentInfo component_of(const json::array& params);

}  // namespace slipway::vectors
