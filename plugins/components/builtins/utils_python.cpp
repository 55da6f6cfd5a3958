#include "plugins/components/builtins/builtin.hpp"
#include "plugins/components/builtins/parameters.hpp"
#include "plugins/components/builtins/role_values.hpp"
#include "slipway/error.hpp"

namespace slipway::builtins {

namespace {

// Returns the arguments of `python`. For -m, adds to `env` the variable in which Hydra, a library
// for configuration, finds the name of the main module.
StrList python_arguments(const BuildRequest& request, StrDict& env) {
  const Cfg& args = request.args;
  const auto module = given_text(args, "m");
  const auto text = given_text(args, "c");
  const auto script = given_text(args, "script");
  if (module.has_value() + text.has_value() + script.has_value() != 1) {
    throw Error(Code::kInvalid, "Python needs exactly one program to run",
                "give exactly one of -m MODULE, -c TEXT and --script PATH");
  }
  const std::string& program = module ? *module : text ? *text : *script;
  if (program.empty())
    throw Error(Code::kInvalid, "the program for Python is empty",
                "give -m, -c or --script a value");
  StrList arguments = module ? StrList{"-m", program}
                      : text ? StrList{"-c", program}
                             : StrList{program};
  for (std::string& word : args.list("args")) arguments.push_back(std::move(word));
  if (module) set(env, "HYDRA_MAIN_MODULE", program);
  return arguments;
}

AppDef build_utils_python(const BuildRequest& request) {
  const Cfg& args = request.args;
  Role role("python");
  role.runs("python", python_arguments(request, role.env))
      .on(args.text("image"))
      .replicas(count(args, "num_replicas"))
      .require(requested_resource(request));
  return app_of(args.text("name"), std::move(role));
}

}  // namespace

Builtin utils_python() {
  std::vector<ComponentParam> params = {
      optional_param("m", ValueType::kStr, "the module to run"),
      optional_param("c", ValueType::kStr, "the text of the program"),
      optional_param("script", ValueType::kStr, "the script to run"), image_param(),
      defaulted_param("name", std::string("torchx_utils_python"), "the app's name")};
  for (ComponentParam& param : resource_params(1)) params.push_back(std::move(param));
  params.push_back(replicas_param());
  params.push_back(rest_param("args", "arguments of the program, after --"));
  return {
      {"utils.python", "Runs python with a module, a script or a program text.", std::move(params)},
      &build_utils_python};
}

}  // namespace slipway::builtins
