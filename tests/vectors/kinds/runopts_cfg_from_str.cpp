// Reads the text of `-cfg` by the declared options.

#include "core/runner/run_options.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/option_case.hpp"

namespace slipway::vectors {

json::value run_runopts_cfg_from_str(VectorCase& one, Bench&) {
  const RunOpts declared = declared_options(one);
  return vector_json(parse_options(declared, text_member(one.input, "cfg_str")).values);
}

}  // namespace slipway::vectors
