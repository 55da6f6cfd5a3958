#include <utility>

#include "plugins/components/builtins/builtin.hpp"
#include "plugins/components/builtins/parameters.hpp"
#include "plugins/components/builtins/role_values.hpp"
#include "sdk/support/shell_words.hpp"

namespace slipway::builtins {

namespace {

AppDef build_utils_sh(const BuildRequest& request) {
  const Cfg& args = request.args;
  StrList words = args.list("args");
  Role role("sh");
  if (const std::string program = args.text("entrypoint"); !program.empty()) {
    // TorchX quotes the words for this program as well.
    for (std::string& word : words) word = shell_quoted(word);
    role.runs(program, std::move(words));
  } else {
    role.runs("sh", {"-c", shell_joined(words)});
  }
  role.on(args.text("image"))
      .replicas(count(args, "num_replicas"))
      .retries(count(args, "max_retries"))
      .require(requested_resource(request));
  role.env = args.dict("env");
  add_log_level(role.env);
  role.mounts = mounts(args);
  return app_of("sh", std::move(role));
}

}  // namespace

Builtin utils_sh() {
  std::vector<ComponentParam> params = {image_param(), replicas_param()};
  for (ComponentParam& param : resource_params(1)) params.push_back(std::move(param));
  params.push_back(env_param());
  params.push_back(retries_param());
  params.push_back(mounts_param());
  params.push_back(
      optional_param("entrypoint", ValueType::kStr,
                     "a program that gets the words, quoted for a shell, instead of sh"));
  params.push_back(
      rest_param("args", "the words of the command; the shell expands nothing in them"));
  return {{"utils.sh", "Runs a command with sh.", std::move(params)}, &build_utils_sh};
}

}  // namespace slipway::builtins
