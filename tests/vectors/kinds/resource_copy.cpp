// Copies a resource with other capabilities.

#include "core/spec/resource_copy.hpp"

#include "core/spec/app_json.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/vector_app.hpp"

namespace slipway::vectors {

json::value run_resource_copy(VectorCase& one, Bench&) {
  const json::value& resource = member(one.input, "resource");
  const json::value& capabilities = member(one.input, "capabilities");
  if (!resource.is_object() || !capabilities.is_object())
    throw BenchError("`resource` and `capabilities` must be objects");
  const Role role = role_of({{"resource", resource}});
  return spec::to_json(spec::copy_resource(role.resource, capabilities.get_object()));
}

}  // namespace slipway::vectors
