#include "tests/vectors/vector_case.hpp"

#include <fstream>
#include <sstream>

namespace slipway::vectors {
namespace {

constexpr std::size_t kMaxDepth = 256;

json::value parse_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw BenchError("cannot be read");
  json::parse_options options;
  options.max_depth = kMaxDepth;
  boost::system::error_code error;
  json::value value = json::parse(text.str(), error, {}, options);
  if (error) throw BenchError("is not JSON: " + error.message());
  return value;
}

}  // namespace

std::vector<VectorCase> read_vector_file(const std::string& path) {
  const json::value document = parse_file(path);
  const json::value* cases =
      document.is_object() ? document.get_object().if_contains("cases") : nullptr;
  if (cases == nullptr || !cases->is_array()) throw BenchError("has no list of cases");
  std::vector<VectorCase> out;
  for (const json::value& item : cases->get_array()) {
    if (!item.is_object()) throw BenchError("has a case that is not an object");
    const json::object& object = item.get_object();
    VectorCase& one = out.emplace_back();
    one.name = text_member(object, "name");
    const json::value& input = member(object, "input");
    if (!input.is_object()) throw BenchError("case '" + one.name + "': the input is not an object");
    one.input = input.get_object();
    if (const json::value* expected = object.if_contains("expected")) one.expected = *expected;
    if (const json::value* error = object.if_contains("error"); error && error->is_object())
      one.error = error->get_object();
    if (one.expected.has_value() == one.error.has_value())
      throw BenchError("case '" + one.name + "': needs either `expected` or `error`");
  }
  return out;
}

const json::value& member(const json::object& object, std::string_view key) {
  const json::value* found = object.if_contains(key);
  if (found == nullptr) throw BenchError("no `" + std::string(key) + "`");
  return *found;
}

std::string text_member(const json::object& object, std::string_view key) {
  const json::value& value = member(object, key);
  if (!value.is_string()) throw BenchError("`" + std::string(key) + "` is not a string");
  return std::string(std::string_view(value.get_string()));
}

std::vector<std::string> texts(const json::value& list) {
  if (!list.is_array()) throw BenchError("not a list: " + json::serialize(list));
  std::vector<std::string> out;
  for (const json::value& item : list.get_array()) {
    if (!item.is_string()) throw BenchError("not a string: " + json::serialize(item));
    out.emplace_back(std::string_view(item.get_string()));
  }
  return out;
}

}  // namespace slipway::vectors
