// The apps of a sweep: `run --sweep -P lr=0.1,0.01 -P seed=1..5`.
#pragma once

#include <string>
#include <vector>

#include "slipway/dict.hpp"

namespace slipway::cli {

/// A parameter and its values, as text.
struct SweptParam {
  std::string name;
  StrList values;
};

/// Returns the parameters of `-P NAME=VALUES`, each once and in the order of their first mention; a
/// later mention replaces the values of an earlier one. Values are separated by commas. FIRST..LAST
/// stands for the whole numbers from one to the other, in either direction. A value in quotes stays
/// as it is. Throws Error kUsage for anything else, for an empty value, and for one that is given
/// twice.
std::vector<SweptParam> swept_params(const StrList& words);

/// Returns each combination of the values. The last parameter changes fastest. Throws Error kUsage
/// if there are more than 10,000.
std::vector<StrDict> combinations(const std::vector<SweptParam>& params);

}  // namespace slipway::cli
