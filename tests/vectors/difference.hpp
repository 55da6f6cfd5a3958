// Finds the first difference between two JSON values.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>

namespace slipway::vectors {

namespace json = boost::json;

struct Difference {
  std::string path;  ///< `$.role_params.w[0].env.PATH`
  std::string expected;
  std::string got;
};

/// Returns nullopt if the values are equal. The order of an object's keys matters in the outermost
/// `ordered_levels` levels. Integers are compared by value; an integer never equals a float.
std::optional<Difference> first_difference(const json::value& expected, const json::value& got,
                                           int ordered_levels);

/// Returns `value` as a short text for people, at most a few hundred bytes.
std::string shown(const json::value& value);

}  // namespace slipway::vectors
