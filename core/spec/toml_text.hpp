// Writes values as TOML on one line.
#pragma once

#include <string>
#include <string_view>

#include "core/spec/node.hpp"
#include "slipway/options.hpp"

namespace slipway::spec {

/// Returns the value as TOML: `"text"`, `5`, `["a", "b"]`, `{ k = "v" }`. Quotes strings as JSON
/// does: every escape that json_quote() (slipway/json_text.hpp) writes means the same in TOML.
/// Returns an empty string for kNull, which TOML cannot express, and the digits of a kBigInt, which
/// is too large for TOML. Thread safe, like the others below.
std::string toml_text(const Node& value);
/// Does the same. Returns an empty string for kNone, which TOML cannot express.
std::string toml_text(const Value& value);
/// Returns whether TOML allows the key without quotes.
bool is_bare_key(std::string_view name);
/// Returns a key, in quotes if TOML requires them.
std::string toml_key(const std::string& name);
/// Returns an inline table with the entries `inside`, which must be TOML ("k = 1, l = 2").
std::string toml_braces(const std::string& inside);

}  // namespace slipway::spec
