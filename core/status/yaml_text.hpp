// Writes JSON values as YAML in the layout of Python's `yaml.dump`: block style, sorted keys,
// ASCII.
#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <string>

namespace slipway {

/// Returns the members of `object`, one per line, indented by `indent` spaces. Unlike Python, does
/// not fold long texts, and writes no short escapes except those for quotes, backslashes, tabs and
/// line breaks.
std::string yaml_text(const boost::json::object& object, std::size_t indent);

}  // namespace slipway
