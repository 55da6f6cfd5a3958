// Running one case and judging it.
#pragma once

#include <optional>

#include "tests/vectors/difference.hpp"
#include "tests/vectors/kinds.hpp"

namespace slipway::vectors {

/// Nothing when Slipway does what the case says. A case that expects an error is met by any slipway::Error that blames
/// the input or the state of things: types and messages of the vectors are Python's. Never throws but bad_alloc.
std::optional<Difference> judge(const Kind& kind, VectorCase one, Bench& bench);

}  // namespace slipway::vectors
