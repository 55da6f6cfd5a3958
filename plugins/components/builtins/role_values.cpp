#include "plugins/components/builtins/role_values.hpp"

#include <cstdlib>
#include <limits>
#include <utility>

#include "slipway/error.hpp"
#include "slipway/hosted_resources.hpp"
#include "slipway/mount_options.hpp"

namespace slipway::builtins {

std::optional<std::string> given_text(const Cfg& args, std::string_view name) {
  const Value* value = args.find(name);
  const auto* text = value != nullptr ? std::get_if<std::string>(value) : nullptr;
  return text != nullptr ? std::optional<std::string>(*text) : std::nullopt;
}

std::int32_t count(const Cfg& args, std::string_view name) {
  const std::int64_t number = args.integer(name);
  if (number < std::numeric_limits<std::int32_t>::min() ||
      number > std::numeric_limits<std::int32_t>::max()) {
    throw Error(Code::kInvalid, "--" + std::string(name) + " " + std::to_string(number) +
                                    " is not a number that a role can have");
  }
  return static_cast<std::int32_t>(number);
}

Resource requested_resource(const BuildRequest& request) {
  const std::string name = request.args.text("h");
  if (!name.empty()) return named_resource(request.host, name, request.call);
  const auto or_default = [](auto given, auto standard) { return given != 0 ? given : standard; };
  Resource out;
  out.cpu = or_default(count(request.args, "cpu"), 2);
  out.gpu = count(request.args, "gpu");
  out.mem_mb = or_default(request.args.integer("memMB"), std::int64_t{1024});
  return out;
}

void add_log_level(StrDict& env) {
  if (find(env, "LOGLEVEL") != nullptr) return;
  const char* inherited =
      std::getenv("LOGLEVEL");  // NOLINT(concurrency-mt-unsafe): no thread changes the environment
  set<std::string>(env, "LOGLEVEL", inherited != nullptr ? inherited : "WARNING");
}

std::vector<Mount> mounts(const Cfg& args) { return parse_mounts(args.list("mounts")); }

AppDef app_of(std::string name, Role role) {
  AppDef app(std::move(name));
  app.of(std::move(role));
  return app;
}

Resource small_resource() {
  Resource out;
  out.cpu = 1;
  out.gpu = 0;
  out.mem_mb = 1024;
  return out;
}

}  // namespace slipway::builtins
