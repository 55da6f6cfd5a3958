#include "plugins/components/builtins/builtin.hpp"
#include "plugins/components/builtins/parameters.hpp"
#include "plugins/components/builtins/role_values.hpp"
#include "sdk/support/python_numbers.hpp"

namespace slipway::builtins {

namespace {

AppDef build_utils_booth(const BuildRequest& request) {
  const Cfg& args = request.args;
  Role role("torchx-utils-booth");
  role.runs("python",
            {"-m", "torchx.apps.utils.booth_main", "--x1", float_text(args.real("x1")), "--x2",
             float_text(args.real("x2")), "--trial_idx", std::to_string(args.integer("trial_idx")),
             "--tracker_base", args.text("tracker_base")})
      .on(args.text("image"))
      .require(small_resource());
  return app_of("torchx-utils-booth", std::move(role));
}

}  // namespace

Builtin utils_booth() {
  return {{"utils.booth",
           "Evaluates Booth's function, (x1 + 2*x2 - 7)^2 + (2*x1 + x2 - 5)^2, for trying out "
           "parameter searches; needs TorchX in the image.",
           {required_param("x1", ValueType::kFloat, "x1"),
            required_param("x2", ValueType::kFloat, "x2"),
            defaulted_param("trial_idx", std::int64_t{0}, "which trial of a search this is"),
            defaulted_param("tracker_base", std::string("/tmp/torchx-util-booth"),
                            "path or URL of the result"),
            image_param()}},
          &build_utils_booth};
}

}  // namespace slipway::builtins
