// Reads declared run options from a JSON object.

#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/option_case.hpp"

namespace slipway::vectors {

json::value run_runopts_cfg_from_json(VectorCase& one, Bench&) {
  const RunOpts declared = declared_options(one);
  Dict<Value> known;
  for (auto& [name, value] : request_options(text_member(one.input, "json"))) {
    if (declared.get(name) != nullptr) set(known, name, std::move(value));
  }
  return vector_json(known);
}

}  // namespace slipway::vectors
