// Reads the macro values of a case.
#pragma once

#include "slipway/macros.hpp"
#include "tests/vectors/vector_case.hpp"

namespace slipway::vectors {

/// Missing members keep their default.
MacroValues macro_values(const VectorCase& one);

}  // namespace slipway::vectors
