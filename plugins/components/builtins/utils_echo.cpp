#include "plugins/components/builtins/builtin.hpp"
#include "plugins/components/builtins/parameters.hpp"
#include "plugins/components/builtins/role_values.hpp"

namespace slipway::builtins {

namespace {

AppDef build_utils_echo(const BuildRequest& request) {
  Role role("echo");
  role.runs("echo", {request.args.text("msg")})
      .on(request.args.text("image"))
      .replicas(count(request.args, "num_replicas"))
      .require(small_resource());
  return app_of("echo", std::move(role));
}

}  // namespace

Builtin utils_echo() {
  return {{"utils.echo",
           "Prints a message.",
           {defaulted_param("msg", std::string("hello world"), "the message to print"),
            image_param(), replicas_param()}},
          &build_utils_echo};
}

}  // namespace slipway::builtins
