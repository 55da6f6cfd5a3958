// One case of a vector file, and what comes of running it.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::vectors {

namespace json = boost::json;

/// Exactly one of `expected` and `error` is there.
struct VectorCase {
  std::string name;
  json::object input;
  std::optional<json::value> expected;
  std::optional<json::object> error;  ///< type and message, both Python's
};

/// The test bench itself is broken (no plug-in, a field that this kind does not know): a failure of the case, also of one
/// that expects an error.
struct BenchError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads a vector file. Throws BenchError when it is not one.
std::vector<VectorCase> read_vector_file(const std::string& path);

/// The member of this name and type; throws BenchError when there is none.
const json::value& member(const json::object& object, std::string_view key);
std::string text_member(const json::object& object, std::string_view key);
/// The texts of a list of strings; throws BenchError when it is no such list.
std::vector<std::string> texts(const json::value& list);

}  // namespace slipway::vectors
