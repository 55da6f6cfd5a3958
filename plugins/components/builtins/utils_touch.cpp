#include "plugins/components/builtins/builtin.hpp"
#include "plugins/components/builtins/parameters.hpp"
#include "plugins/components/builtins/role_values.hpp"

namespace slipway::builtins {

namespace {

AppDef build_utils_touch(const BuildRequest& request) {
  Role role("touch");
  role.runs("touch", {request.args.text("file")})
      .on(request.args.text("image"))
      .require(small_resource());
  return app_of("touch", std::move(role));
}

}  // namespace

Builtin utils_touch() {
  return {{"utils.touch",
           "Creates a file, or sets its time to now.",
           {required_param("file", ValueType::kStr, "the file's path"), image_param()}},
          &build_utils_touch};
}

}  // namespace slipway::builtins
