// The values that the parameters of a component have in a sweep (`slipway run --sweep`).
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

/// The most apps of a sweep, and so the most values of a parameter.
inline constexpr std::size_t kMostSweptApps = 10'000;

/// Returns the values of a text. They are separated by commas; FIRST..LAST stands for the whole
/// numbers from one to the other, in either direction, and a value in quotes stays as it is. Throws
/// Error kUsage for anything else, for an empty value, and for one that is given twice.
StrList swept_values(std::string_view text);

/// Returns the parameter as it is written on the command line: "lr=0.1,0.01". Of more than eight
/// values, returns the first ones and their number.
std::string sweep_word(const SweptParam& param);

/// Reads the table `sweep` of a component file: a list of values, or a text as above, for each of
/// some parameters. Adds to `reader` the problems of unknown parameters and of values of another
/// type than their parameter.
std::vector<SweptParam> read_sweep(spec::Node& table, const spec::KeyPath& path,
                                   const std::vector<ComponentParam>& params,
                                   spec::FieldReader& reader);

}  // namespace slipway::components
