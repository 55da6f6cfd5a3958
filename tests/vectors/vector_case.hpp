// A case of a vector file, and helpers to read its members.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::vectors {

namespace json = boost::json;

/// Exactly one of `expected` and `error` is set.
struct VectorCase {
  std::string name;
  json::object input;
  std::optional<json::value> expected;
  std::optional<json::object> error;  ///< Python's type and message
};

/// The test bench itself is broken (no plug-in, an unknown field). The case fails, even if it
/// expects an error.
struct BenchError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads a vector file. Throws BenchError if it is not one; the message continues the file's name.
std::vector<VectorCase> read_vector_file(const std::string& path);

/// Return the member of this name, text_member() a string. Throw BenchError if it is missing or of
/// another type.
const json::value& member(const json::object& object, std::string_view key);
std::string text_member(const json::object& object, std::string_view key);
/// Returns the texts of a list of strings. Throws BenchError if it is not such a list.
std::vector<std::string> texts(const json::value& list);

}  // namespace slipway::vectors
