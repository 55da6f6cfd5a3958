#include "tests/vectors/kinds/argument_json.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "core/runner/run_record_json.hpp"

namespace slipway::vectors {
namespace {

double special_float(const std::string& name) {
  if (name == "inf") return std::numeric_limits<double>::infinity();
  if (name == "-inf") return -std::numeric_limits<double>::infinity();
  if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
  throw BenchError("unknown float " + name);
}

std::string text_of(const json::value& value) {
  return value.is_string() ? std::string(std::string_view(value.get_string()))
                           : json::serialize(value);
}

}  // namespace

Value to_value(const json::value& value) {
  switch (value.kind()) {
    case json::kind::null: return std::monostate{};
    case json::kind::bool_: return value.get_bool();
    case json::kind::int64: return value.get_int64();
    case json::kind::double_: return value.get_double();
    case json::kind::string: return text_of(value);
    case json::kind::array: return texts(value);
    case json::kind::object: {
      const json::object& object = value.get_object();
      if (const json::value* special = object.if_contains("$float"))
        return special_float(text_of(*special));
      StrDict out;
      for (const auto& entry : object) set(out, entry.key(), text_of(entry.value()));
      return out;
    }
    case json::kind::uint64: break;
  }
  throw BenchError("no argument can be " + json::serialize(value));
}

json::value from_value(const Value& value) {
  const double* real = std::get_if<double>(&value);
  if (real == nullptr || std::isfinite(*real)) return value_json(value);
  return json::object{{"$float", std::isnan(*real) ? "nan" : *real > 0 ? "inf" : "-inf"}};
}

}  // namespace slipway::vectors
