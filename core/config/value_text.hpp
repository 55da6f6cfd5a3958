// Writes values of settings and run options as text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/config/setting.hpp"
#include "slipway/options.hpp"

namespace slipway::config {

/// Returns the value as TOML on one line: `"text"`, `5`, `["a", "b"]`, `{ k = "v" }`.
std::string toml_text(const spec::Node& value);
/// Does the same. Returns an empty text for kNone, which TOML cannot express.
std::string toml_text(const Value& value);
/// Returns a key, in quotes if TOML requires them.
std::string toml_key(const std::string& name);

/// Returns the value as a command-line argument: a string unchanged, `true`, `5`, a list as `a,b`,
/// a table as `k=v,k2=v2`. Returns nullopt and adds a problem if the argument would not read back
/// as the value: an item with a comma, a table in a list, or a date.
std::optional<std::string> argument_text(const Setting& setting,
                                         std::vector<spec::Problem>& problems);

}  // namespace slipway::config
