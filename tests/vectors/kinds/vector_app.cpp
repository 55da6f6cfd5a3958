#include "tests/vectors/kinds/vector_app.hpp"

#include "core/spec/app_file.hpp"
#include "core/spec/document.hpp"
#include "slipway/error.hpp"
#include "tests/vectors/bench.hpp"

namespace slipway::vectors {

AppDef app_of(const json::value& app) {
  spec::ProblemList problems;
  spec::AppFile file =
      spec::read_app_document(spec::parse_json(json::serialize(app), "app"), "app", problems);
  problems.throw_if_errors();
  return std::move(file.app);
}

Role role_of(const json::value& role) {
  return app_of({{"name", "app"}, {"roles", json::array{role}}}).roles.at(0);
}

AppDef read_app(const json::object& input) {
  try {
    return app_of(member(input, "app"));
  } catch (const Error& error) {
    throw BenchError(error.message());
  }
}

}  // namespace slipway::vectors
