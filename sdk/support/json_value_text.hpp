// Values of JSON documents in messages.
#pragma once

#include <boost/json.hpp>
#include <string>

#include "sdk/support/python_numbers.hpp"

namespace slipway {

/// Returns the value as JSON. Writes a number as users do, 80.5, where Boost writes 8.05E1; numbers
/// in lists and objects stay as Boost writes them. [any thread]
inline std::string json_value_text(const boost::json::value& value) {
  return value.is_double() ? float_text(value.get_double()) : boost::json::serialize(value);
}

}  // namespace slipway
