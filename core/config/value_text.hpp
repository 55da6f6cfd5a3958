// Values of settings and run options as text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/config/setting.hpp"
#include "slipway/options.hpp"

namespace slipway::config {

/// The value as TOML on one line: `"text"`, `5`, `["a", "b"]`, `{ k = "v" }`.
std::string toml_text(const spec::Node& value);
/// The same; kNone, which TOML has no word for, becomes an empty text.
std::string toml_text(const Value& value);
/// A key, in quotes where TOML needs them.
std::string toml_key(const std::string& name);

/// The value as an argument of a command line: a string as it is, `true`, `5`, lists as `a,b`,
/// tables as `k=v,k2=v2`. nullopt, and a problem, where the value would not read back: an item that
/// holds a comma, a table in a list, a date.
std::optional<std::string> argument_text(const Setting& setting,
                                         std::vector<spec::Problem>& problems);

}  // namespace slipway::config
