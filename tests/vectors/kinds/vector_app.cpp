#include "tests/vectors/kinds/vector_app.hpp"

#include "core/spec/app_json.hpp"
#include "slipway/error.hpp"
#include "tests/vectors/bench.hpp"

namespace slipway::vectors {

AppDef read_app(const json::object& input) {
  try {
    return spec::app_from_json(member(input, "app").as_object(), "app");
  } catch (const Error& error) {
    throw BenchError(error.message());
  }
}

}  // namespace slipway::vectors
