// Texts that stand for others in a JSON value: the <TMP>, <CWD> and so on of the vectors, and random ids.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace slipway::vectors {

namespace json = boost::json;

/// What to replace by what; the first that fits at a place counts.
using Replacements = std::vector<std::pair<std::string, std::string>>;

std::string replaced(std::string_view text, const Replacements& replacements);

/// The value with every string in it replaced, keys too.
json::value replaced(const json::value& value, const Replacements& replacements);

/// `bytes` with U+FFFD for what is not UTF-8, one for each byte sequence that Python's decoder would replace by one.
std::string as_utf8(std::string_view bytes);

}  // namespace slipway::vectors
