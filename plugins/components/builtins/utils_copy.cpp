#include "plugins/components/builtins/builtin.hpp"
#include "plugins/components/builtins/parameters.hpp"
#include "plugins/components/builtins/role_values.hpp"

namespace slipway::builtins {

namespace {

AppDef build_utils_copy(const BuildRequest& request) {
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
           "Copies one file between locations that fsspec supports; needs TorchX in the image.",
           {required_param("src", ValueType::kStr, "path or URL of the file"),
            required_param("dst", ValueType::kStr, "path or URL of the copy"), image_param()}},
          &build_utils_copy};
}

}  // namespace slipway::builtins
