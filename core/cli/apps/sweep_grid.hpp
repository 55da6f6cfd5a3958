// The apps of a sweep: `run --sweep -P lr=0.1,0.01 -P seed=1..5`.
#pragma once

#include <string>
#include <vector>

#include "core/components/sweep_values.hpp"
#include "slipway/dict.hpp"

namespace slipway::cli {

/// Returns the parameters of the component's own sweep, and those of `-P NAME=VALUES`, each once
/// and in the order in which they first appear. A later one replaces the values of an earlier one
/// with the same name. Throws Error kUsage for words of another form.
std::vector<components::SweptParam> swept_params(std::vector<components::SweptParam> own,
                                                 const StrList& words);

/// Returns each combination of the values. The last parameter changes fastest. Throws Error kUsage
/// if there are more than components::kMostSweptApps.
std::vector<StrDict> combinations(const std::vector<components::SweptParam>& params);

}  // namespace slipway::cli
