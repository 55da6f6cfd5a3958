// The apps of a sweep: `run --sweep -P lr=0.1,0.01 -P seed=1..5`.
#pragma once

#include <string>
#include <vector>

#include "core/components/sweep_values.hpp"
#include "slipway/dict.hpp"

namespace slipway::cli {

/// Returns the parameters of the sweep in the component's file, and those of the words NAME=VALUES
/// (`-P`), each once and in the order in which they first appear. A later parameter replaces the
/// values of an earlier one with the same name. Throws Error kUsage for words of another form.
std::vector<components::SweptParam> swept_params(std::vector<components::SweptParam> of_component,
                                                 const StrList& words);

/// Returns each combination of the values; one empty combination if there is no parameter. The last
/// parameter changes fastest. Throws Error kUsage if there are more than
/// components::kMostSweptApps.
std::vector<StrDict> combinations(const std::vector<components::SweptParam>& params);

}  // namespace slipway::cli
