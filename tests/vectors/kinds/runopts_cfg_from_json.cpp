// Reads declared run options from JSON, as `slipway run --stdin` does.

#include "core/components/run_request.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/option_case.hpp"

namespace slipway::vectors {

json::value run_runopts_cfg_from_json(VectorCase& one, Bench&) {
  const RunOpts declared = declared_options(one);
  Dict<Value> known;
  const std::string request = R"({"component_name": "c", "scheduler": "s", "scheduler_args": )" +
                              text_member(one.input, "json") + "}";
  const components::RunRequest read = components::parse_run_request(request, "case");
  for (const auto& [name, value] : read.scheduler_args) {
    if (declared.get(name) != nullptr) set(known, name, value);
  }
  return vector_json(known);
}

}  // namespace slipway::vectors
