// Parses JSON with the nesting that an app may have. Boost.JSON itself refuses more than 32 levels,
// whereas an app file may have 64, and records, requests and answers contain apps.
#pragma once

#include <boost/json/parse.hpp>
#include <boost/json/parse_options.hpp>
#include <boost/json/value.hpp>
#include <boost/system/system_error.hpp>
#include <cstddef>
#include <string_view>

namespace slipway {

/// Parses a text as boost::json::parse() does. Returns null with `error` set for a text that is not
/// JSON or is nested more than 200 levels deep.
inline boost::json::value parse_deep_json(std::string_view text, boost::system::error_code& error) {
  constexpr std::size_t kMaxDepth = 200;
  boost::json::parse_options options;
  options.max_depth = kMaxDepth;
  return boost::json::parse({text.data(), text.size()}, error, {}, options);
}

/// Does the same, but throws boost::system::system_error for such a text.
inline boost::json::value parse_deep_json(std::string_view text) {
  boost::system::error_code error;
  boost::json::value out = parse_deep_json(text, error);
  if (error) throw boost::system::system_error(error);
  return out;
}

}  // namespace slipway
