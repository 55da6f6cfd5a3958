#include "plugins/components/builtins/builtin.hpp"
#include "plugins/components/builtins/parameters.hpp"
#include "plugins/components/builtins/role_values.hpp"

namespace slipway::builtins {

namespace {

AppDef build_utils_binary(const BuildRequest& request) {
  const Cfg& args = request.args;
  Role role("binary");
  role.runs(args.text("entrypoint"), args.list("args"))
      .on(kNoneText)  // TorchX's text for no image
      .replicas(count(args, "num_replicas"))
      .require(requested_resource(request));
  return app_of(args.text("name"), std::move(role));
}

}  // namespace

Builtin utils_binary() {
  std::vector<ComponentParam> params = {
      required_param("entrypoint", ValueType::kStr, "the program"),
      defaulted_param("name", std::string("torchx_utils_binary"), "the app's name"),
      replicas_param()};
  for (ComponentParam& param : resource_params(1)) params.push_back(std::move(param));
  params.push_back(rest_param("args", "the program's arguments"));
  return {{"utils.binary", "Runs an existing program, without an image.", std::move(params)},
          &build_utils_binary};
}

}  // namespace slipway::builtins
