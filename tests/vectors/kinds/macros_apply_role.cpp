// Applies macros to a role.

#include "slipway/role_macros.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/macro_values.hpp"
#include "tests/vectors/kinds/vector_app.hpp"

namespace slipway::vectors {

json::value run_macros_apply_role(VectorCase& one, Bench&) {
  const json::value& role = member(one.input, "role");
  if (!role.is_object()) throw BenchError("`role` is not an object");
  return json_of(apply_macros(role_of(role), macro_values(one)));
}

}  // namespace slipway::vectors
