// A component of a vector: TorchX's Python signature as a ComponentInfo, and typed values as JSON.
#pragma once

#include <boost/json.hpp>
#include <string>

#include "slipway/components.hpp"
#include "tests/vectors/vector_case.hpp"

namespace slipway::vectors {

/// From a Python annotation ("Optional[List[str]]") to the type that a Slipway component would declare; Slipway's lists and
/// dicts hold strings. Throws BenchError for an annotation that means no type.
ValueType type_of_annotation(const std::string& annotation);

/// A JSON value (`{"$float": "inf"}` included) as an argument's, and back. Throws BenchError for what no argument can be.
Value to_value(const json::value& value);
json::value from_value(const Value& value);

/// [{name, kind, type, default?}] of the vectors `builders`.
ComponentInfo component_of(const json::array& params);

}  // namespace slipway::vectors
