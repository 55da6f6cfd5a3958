#include "plugins/components/builtins/builtin.hpp"
#include "plugins/components/builtins/parameters.hpp"
#include "plugins/components/builtins/role_values.hpp"
#include "sdk/support/python_numbers.hpp"

namespace slipway::builtins {

namespace {

AppDef build_metrics_tensorboard(const BuildRequest& request) {
  const Cfg& args = request.args;
  const std::int64_t port = args.integer("port");
  // TensorBoard does not stop by itself; the monitor stops it.
  Role role("tensorboard");
  role.runs("python",
            {"-m", "torchx.apps.utils.process_monitor", "--timeout",
             float_text(args.real("timeout")), "--start_on_file", args.text("start_on_file"),
             "--exit_on_file", args.text("exit_on_file"), "--", "tensorboard", "--bind_all",
             "--port", std::to_string(port), "--logdir", args.text("logdir")})
      .on(args.text("image"))
      .port("http", port);
  return app_of("tensorboard", std::move(role));
}

}  // namespace

Builtin metrics_tensorboard() {
  return {{"metrics.tensorboard",
           "Serves TensorBoard for a time, or until a file appears; needs TorchX in the image.",
           {required_param("logdir", ValueType::kStr, "path or URL of the logs"), image_param(),
            defaulted_param("timeout", 3600.0, "seconds until TensorBoard ends"),
            defaulted_param("port", std::int64_t{6006}, "the port of TensorBoard"),
            defaulted_param("start_on_file", std::string(), "start once this path or URL exists"),
            defaulted_param("exit_on_file", std::string(), "end once this path or URL exists")}},
          &build_metrics_tensorboard};
}

}  // namespace slipway::builtins
