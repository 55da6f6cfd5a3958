// JSON values as YAML, laid out and quoted as Python's `yaml.dump` does it: block style, sorted keys, ASCII.
#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <string>
#include <string_view>

namespace slipway {

/// The members of `object`, one a line, each line indented by `indent` spaces. Long texts are not folded.
std::string yaml_text(const boost::json::object& object, std::size_t indent);

/// One text, in quotes where YAML would read something else without them. `indent` is that of the lines after the first.
std::string yaml_scalar(std::string_view text, std::size_t indent);

}  // namespace slipway
