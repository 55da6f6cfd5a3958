// Reads the macro values of a case.
#pragma once

#include "slipway/macros.hpp"
#include "tests/vectors/vector_case.hpp"

namespace slipway::vectors {

/// Returns the `values` of a case (defined in macros_substitute.cpp). Missing members keep their
/// default. Throws BenchError if `values` is not an object.
MacroValues macro_values(const VectorCase& one);

}  // namespace slipway::vectors
