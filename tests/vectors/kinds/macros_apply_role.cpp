// Applies macros to a role.

#include "core/spec/app_json.hpp"
#include "slipway/role_macros.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/macro_values.hpp"

namespace slipway::vectors {

json::value run_macros_apply_role(VectorCase& one, Bench&) {
  const json::value& role = member(one.input, "role");
  if (!role.is_object()) throw BenchError("`role` is not an object");
  return spec::to_json(
      apply_macros(spec::role_from_json(role.get_object(), "role"), macro_values(one)));
}

}  // namespace slipway::vectors
