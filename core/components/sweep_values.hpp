// Reads and writes the values of parameters in a sweep (`slipway run --sweep`).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/spec/fields.hpp"
#include "core/spec/node.hpp"
#include "slipway/components.hpp"

namespace slipway::components {

/// A parameter and its values, as text.
struct SweptParam {
  std::string name;
  StrList values;
};

/// The largest number of apps in a sweep, and so of values of one parameter. A larger number is
/// more likely a mistake.
inline constexpr std::size_t kMostSweptApps = 10'000;

/// Returns the values in `text`, which commas separate. FIRST..LAST stands for the whole numbers
/// from one to the other, in either direction; a value in quotes stays as it is. Throws
/// Error(kUsage) for wrong quotes, a range of more than kMostSweptApps numbers, an empty value
/// without quotes, and a value that is given twice.
StrList swept_values(std::string_view text);

/// Returns the parameter as it is written on the command line: "lr=0.1,0.01". If there are more
/// than eight values, returns the first eight and the number of all.
std::string sweep_word(const SweptParam& param);

/// Reads the table `sweep` of a component file, which has a list of values or a text for
/// swept_values() under the name of a parameter. Adds to `reader` a problem for each unknown
/// parameter, for each parameter without values, and for each value that is repeated or has another
/// type than its parameter.
std::vector<SweptParam> read_sweep(spec::Node& table, const spec::KeyPath& path,
                                   const std::vector<ComponentParam>& params,
                                   spec::FieldReader& reader);

}  // namespace slipway::components
