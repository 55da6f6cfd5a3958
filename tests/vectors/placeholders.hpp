// Replaces placeholders in a JSON value: the <TMP>, <CWD> and so on of the vectors, and random ids.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace slipway::vectors {

namespace json = boost::json;

/// Pairs of a text and its replacement; the first that matches at a position wins.
using Replacements = std::vector<std::pair<std::string, std::string>>;

/// Returns `text` with its placeholders replaced.
std::string replaced(std::string_view text, const Replacements& replacements);

/// Returns the value with every string replaced, including keys.
json::value replaced(const json::value& value, const Replacements& replacements);

/// Returns `bytes` with U+FFFD for invalid UTF-8, one for each byte sequence that Python's decoder
/// would replace by one.
std::string as_utf8(std::string_view bytes);

}  // namespace slipway::vectors
