// Values, checked against the declared options and with defaults filled in.

#include "core/runner/run_options.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/option_case.hpp"

namespace slipway::vectors {

json::value run_runopts_resolve(VectorCase& one, Bench&) {
  const RunOpts declared = declared_options(one);
  Dict<Value> given;
  for (const auto& entry : member(one.input, "cfg").as_object())
    set(given, entry.key(), option_value_of(entry.key(), entry.value()));
  return vector_json(resolve_options(declared, given).values());
}

}  // namespace slipway::vectors
