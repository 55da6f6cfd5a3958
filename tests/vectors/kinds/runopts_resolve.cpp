// Checks values against the declared options and fills in defaults.

#include "core/runner/run_options.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/option_case.hpp"

namespace slipway::vectors {

json::value run_runopts_resolve(VectorCase& one, Bench&) {
  const RunOpts declared = declared_options(one);
  const Dict<Value> given = option_values(member(one.input, "cfg"));
  return vector_json(resolve_options(declared, given).values());
}

}  // namespace slipway::vectors
