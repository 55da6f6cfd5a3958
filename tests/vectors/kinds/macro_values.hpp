// The macro values of a case.
#pragma once

#include "slipway/macros.hpp"
#include "tests/vectors/vector_case.hpp"

namespace slipway::vectors {

/// Members that are left out keep their default.
MacroValues macro_values(const VectorCase& one);

}  // namespace slipway::vectors
