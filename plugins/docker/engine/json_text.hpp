// Texts in the JSON of the engine and of `docker login`.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>

namespace slipway::docker {

/// Returns the text at the key; empty if there is no text.
inline std::string text_in(const boost::json::object& object, std::string_view key) {
  const boost::json::value* found = object.if_contains(key);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

/// Returns the text at a JSON pointer, such as "/Metadata/LastTagTime"; empty if there is no text.
inline std::string text_at(const boost::json::value& value, std::string_view pointer) {
  boost::system::error_code missing;
  const boost::json::value* found = value.find_pointer(pointer, missing);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

}  // namespace slipway::docker
