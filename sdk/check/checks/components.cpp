// Checks of component providers.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sdk/check/checks/groups.hpp"
#include "sdk/check/host/checked_callback.hpp"
#include "sdk/check/host/component_calls.hpp"
#include "sdk/check/host/hostile_app.hpp"
#include "sdk/check/host/loaded.hpp"
#include "slipway/detail/app_views.hpp"

namespace slipway::check {

namespace {

// The result of build. The callback returns `stop`.
struct Built {
  slipway_status status = SLIPWAY_OK;
  slipway_error error;
  std::vector<AppDef> apps;
  slipway_status stop = SLIPWAY_OK;

  static slipway_status take(void* self, const slipway_app_def* app) {
    auto& built = *static_cast<Built*>(self);
    built.apps.push_back(abi::read(*app));
    return built.stop;
  }
};

Built build(const Instance& instance, const std::string& name, const Cfg& args,
            Awkwardness how = {}, slipway_status stop = SLIPWAY_OK, const std::string& file = {}) {
  GuardedMemory memory;
  const slipway_str placed = memory.text(name);
  auto order = abi::sized<slipway_component_order>();
  order.name = placed;
  order.args = hostile_cfg(memory, args, how);
  if (!file.empty()) order.file = memory.text(file);
  const slipway_component_order* sealed = memory.object(order);
  memory.seal();
  Built out;
  out.stop = stop;
  instance.trial().progress.step("build of " + name);
  out.status = instance.components()->vtbl->build(instance.components(), plain_call(), sealed,
                                                  kChecked<&Built::take>, &out, &out.error);
  memory.vanish();
  return out;
}

void list_components(const Trial& trial) {
  const Instance instance(trial);
  std::set<std::string> names;
  for (const Component& component : all_components(instance))
    require(names.insert(component.name).second, "\"" + component.name + "\" is listed twice");
}

// Returns the parts of the app that the checks compare.
std::string shape_of(const AppDef& app) {
  std::string out = app.name;
  for (const Role& role : app.roles) {
    out += "|" + role.name + ":" + role.entrypoint + ":" + std::to_string(role.num_replicas);
    for (const std::string& arg : role.args) out += " " + arg;
  }
  return out;
}

void components_builds(const Trial& trial) {
  const Instance instance(trial);
  for (const Component& component : all_components(instance)) {
    const std::string what = "build of \"" + component.name + "\"";
    const Built plain = build(instance, component.name, component.args);
    require(plain.status >= 0 || !plain.error.message.empty(), what + " failed without a message",
            "call host->error_set with what is wrong with the arguments");
    if (plain.status < 0) continue;  // the component refuses the sample values
    require(plain.apps.size() == 1,
            what + " called back " + std::to_string(plain.apps.size()) + " times, not once");
    require(!plain.apps.front().roles.empty(), what + " made an app without roles");
    const Built again = build(instance, component.name, component.args);
    inspect_failure(what, again.status, again.error);
    require(again.status >= 0 && again.apps.size() == 1,
            what + " fails when it is called again with the same arguments: " + again.error.message,
            "keep no state between calls");
    const Built wide = build(instance, component.name, component.args, {.extra_stride = 40});
    require(wide.status >= 0 && wide.apps.size() == 1,
            what + " fails when its arguments have a larger stride: " + wide.error.message,
            "index with SLIPWAY_AT, and ignore keys that you do not know");
    if (shape_of(again.apps.front()) != shape_of(plain.apps.front()))
      continue;  // the app differs in each call
    require(shape_of(wide.apps.front()) == shape_of(plain.apps.front()),
            what + " makes another app when its arguments have a larger stride",
            "index with SLIPWAY_AT");
    require(
        build(instance, component.name, component.args, {}, kCallbackStop).status == kCallbackStop,
        what + " does not return what its callback answered", "return what the callback returned");
  }
}

// Returns by component the status of build and the app, as a text. Omits components that do not
// make the same app each time.
std::map<std::string, std::string> built_apps(const Trial& trial) {
  const Instance instance(trial);
  std::map<std::string, std::string> out;
  for (const Component& component : all_components(instance)) {
    const auto text = [&] {
      const Built built = build(instance, component.name, component.args);
      return "status " + std::to_string(built.status) +
             (built.apps.empty() ? "" : ", " + shape_of(built.apps.front()));
    };
    const std::string once = text();
    if (text() == once) out.emplace(component.name, once);
  }
  return out;
}

void components_newer_host(const Trial& trial) {
  require_known_version(trial);
  const std::map<std::string, std::string> plain = built_apps(trial);
  play_newer_host();
  const std::map<std::string, std::string> newer = built_apps(trial);
  for (const auto& [name, app] : plain) {
    const auto found = newer.find(name);
    require(found != newer.end() && found->second == app,
            "build of \"" + name + "\" gave " +
                (found == newer.end() ? "different results" : found->second) + " instead of " +
                app);
  }
}

void components_unknown(const Trial& trial) {
  const Instance instance(trial);
  const Built built = build(instance, "slipway-plugin-check.no_such_component", Cfg());
  inspect_failure("build", built.status, built.error);
  require(built.status == SLIPWAY_E_NOT_FOUND && built.apps.empty(),
          "build of a component that does not exist gave status " + std::to_string(built.status));
}

void component_files_unknown(const Trial& trial) {
  const std::vector<std::string> extensions = trial.subject.source_extensions(trial.provider);
  if (extensions.empty()) throw Inconclusive("the manifest has no component_files");
  const Instance instance(trial);
  const slipway_components_vtbl& table = *instance.components()->vtbl;
  for (const std::string& extension : extensions) {
    const std::string file = trial.directory + "/no such file." + extension;
    for (const bool checks : {false, true}) {
      if (checks && !abi::has(table, &slipway_components_vtbl::check)) continue;
      const std::string what = checks ? "check" : "list";
      GuardedMemory memory;
      auto query = abi::sized<slipway_component_query>();
      query.file = memory.text(file);
      const slipway_component_query* sealed = memory.object(query);
      memory.seal();
      slipway_error error;
      trial.progress.step(what + " of a file");
      const slipway_status status =
          checks ? table.check(instance.components(), plain_call(), sealed,
                               &ignore_item<slipway_component_problem>, nullptr, &error)
                 : table.list(instance.components(), plain_call(), sealed,
                              &ignore_item<slipway_component_info>, nullptr, &error);
      inspect_failure(what, status, error);
      require(status == SLIPWAY_E_NOT_FOUND,
              what + " of a file that does not exist gave status " + std::to_string(status));
    }
    const Built built = build(instance, "check", Cfg(), {}, SLIPWAY_OK, file);
    inspect_failure("build", built.status, built.error);
    require(built.status == SLIPWAY_E_NOT_FOUND && built.apps.empty(),
            "build from a file that does not exist gave status " + std::to_string(built.status));
  }
}

}  // namespace

std::vector<Check> component_checks() {
  constexpr const char* kKind = SLIPWAY_KIND_COMPONENT;
  return {
      {"components.list",
       kKind,
       Needs::kNothing,
       "every component and parameter has a name, defaults are of their types, and only the last "
       "parameter may be variadic (abi/component.h)",
       "correct the declaration that is named",
       &list_components,
       {"provider.functions"}},
      {"components.build",
       kKind,
       Needs::kNothing,
       "build calls back once, with the same app for every memory layout of its arguments (R2, R7)",
       "read arguments by key",
       &components_builds,
       {"components.list"},
       Remedy::kAlsoForCrash},
      {"components.newer_host",
       kKind,
       Needs::kNothing,
       "build makes the same app when the host's structs are larger than this version's (R1, R9)",
       "ask SLIPWAY_HAS for fields, and ignore reserved ones",
       &components_newer_host,
       {"components.build", "provider.newer_host"},
       Remedy::kAlsoForCrash},
      {"components.unknown",
       kKind,
       Needs::kNothing,
       "a component that does not exist is SLIPWAY_E_NOT_FOUND (abi/component.h, build)",
       "check first that the component exists",
       &components_unknown,
       {"provider.functions"}},
      {"components.files",
       kKind,
       Needs::kNothing,
       "a file that does not exist is SLIPWAY_E_NOT_FOUND (abi/component.h, component_files)",
       "return SLIPWAY_E_NOT_FOUND with the path in the message",
       &component_files_unknown,
       {"provider.functions"}},
  };
}

}  // namespace slipway::check
