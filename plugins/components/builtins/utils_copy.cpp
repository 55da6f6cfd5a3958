#include "plugins/components/builtins/parameters.hpp"
#include "plugins/components/builtins/role_values.hpp"
#include "plugins/components/builtins/utils_components.hpp"

namespace slipway::builtins {

namespace {

AppDef build(const BuildRequest& request) {
  const Cfg& args = request.args;
  Role role("torchx-utils-copy");
  role.runs("python", {"-m", "torchx.apps.utils.copy_main", "--src", args.text("src"), "--dst",
                       args.text("dst")})
      .on(args.text("image"))
      .require(small_resource());
  return app_of("torchx-utils-copy", std::move(role));
}

}  // namespace

Builtin utils_copy() {
  return {{"utils.copy",
           "Copies one file between places that fsspec knows; needs TorchX in the image.",
           {required("src", ValueType::kStr, "where it is: a path or URL"),
            required("dst", ValueType::kStr, "where it goes: a path or URL"), image_param()}},
          &build};
}

}  // namespace slipway::builtins
