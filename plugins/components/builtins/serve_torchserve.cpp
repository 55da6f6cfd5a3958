#include "plugins/components/builtins/builtin.hpp"
#include "plugins/components/builtins/parameters.hpp"
#include "plugins/components/builtins/role_values.hpp"

namespace slipway::builtins {

namespace {

constexpr std::int64_t kDownloadPort = 8222;  // TorchServe gets the model from the replica here

AppDef build_serve_torchserve(const BuildRequest& request) {
  const Cfg& args = request.args;
  StrList words = {"-m",
                   "torchx.apps.serve.serve",
                   "--model_path",
                   args.text("model_path"),
                   "--management_api",
                   args.text("management_api")};
  for (auto& [name, value] : args.dict("params")) {
    words.push_back("--" + name);
    words.push_back(value);
  }
  if (args.boolean("dryrun")) words.emplace_back("--dryrun");
  Role role("worker");
  role.runs("python", std::move(words))
      .on(args.text("image"))
      .require(small_resource())
      .port("model-download", kDownloadPort);
  return app_of("torchx-torchserve", std::move(role));
}

}  // namespace

Builtin serve_torchserve() {
  return {{"serve.torchserve",
           "Registers a model with a running TorchServe; needs TorchX in the image.",
           {required_param("model_path", ValueType::kStr, "the model archive: a path or URL"),
            required_param("management_api", ValueType::kStr, "TorchServe's management URL"),
            image_param(),
            optional_param("params", ValueType::kDict, "parameters of the registration: A=1,B=2"),
            defaulted_param("dryrun", false, "start without registering the model")}},
          &build_serve_torchserve};
}

}  // namespace slipway::builtins
