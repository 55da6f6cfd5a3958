#include "plugins/components/builtins/builtins.hpp"

#include <string>
#include <utility>

#include "plugins/components/builtins/builtin.hpp"
#include "slipway/error.hpp"

namespace slipway::builtins {

namespace {

std::vector<Builtin> components_of(const std::string& provider) {
  if (provider == "dist") return {dist_ddp(), dist_spmd()};
  if (provider == "metrics") return {metrics_tensorboard()};
  if (provider == "serve") return {serve_torchserve()};
  if (provider == "utils") {
    return {utils_binary(), utils_booth(), utils_copy(), utils_echo(),
            utils_python(), utils_sh(),    utils_touch()};
  }
  throw Error(Code::kNotFound, "there is no provider of built-in components '" + provider + "'");
}

}  // namespace

Builtins::Builtins(Host host, CreateArgs args)
    : Components(host, std::move(args)), components_(components_of(this->args().entry)) {}

std::vector<ComponentInfo> Builtins::list(const Call&) {
  std::vector<ComponentInfo> out;
  for (const Builtin& one : components_) out.push_back(one.info);
  return out;
}

AppDef Builtins::build(std::string_view name, const Cfg& args, const Call& call) {
  for (const Builtin& one : components_) {
    if (one.info.name == name) return one.build({args, host(), call});
  }
  throw Error(Code::kNotFound, "there is no component '" + std::string(name) + "'");
}

}  // namespace slipway::builtins
