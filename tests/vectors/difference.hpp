// Where two JSON values differ first.
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

/// Nothing when the values are equal. The order of an object's keys counts in the outermost `ordered_levels` levels;
/// integers are equal by value, and an integer never equals a float.
std::optional<Difference> first_difference(const json::value& expected, const json::value& got,
                                           int ordered_levels);

/// `value` as a short text for a person: at most a few hundred bytes.
std::string shown(const json::value& value);

}  // namespace slipway::vectors
