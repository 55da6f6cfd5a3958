// Checks of workspace providers.
#include <filesystem>
#include <string>

#include "sdk/check/checks/groups.hpp"
#include "sdk/check/host/checked_callback.hpp"
#include "sdk/check/host/loaded.hpp"
#include "sdk/check/host/samples.hpp"
#include "slipway/detail/views.hpp"

namespace slipway::check {

namespace {

namespace fs = std::filesystem;

// The result of plan or build. The callback returns `stop`.
struct Made {
  slipway_status status = SLIPWAY_OK;
  slipway_error error;
  int calls = 0;
  std::string image;
  slipway_status stop = SLIPWAY_OK;

  static slipway_status take(void* self, const slipway_workspace_result* given) {
    auto& made = *static_cast<Made*>(self);
    ++made.calls;
    made.image = abi::str(abi::widen(given).image);
    return made.stop;
  }
};

enum class Function : std::uint8_t { kPlan, kBuild };

std::string name_of(Function function) { return function == Function::kBuild ? "build" : "plan"; }

Made call(const Instance& instance, Function function, const std::string& source,
          slipway_status stop = SLIPWAY_OK) {
  GuardedMemory memory;
  auto order = abi::sized<slipway_workspace_order>();
  order.source = memory.text(source);
  order.directory = memory.text(instance.trial().directory + "/copies");
  order.name = memory.text("copy");
  const slipway_workspace_order* placed = memory.object(order);
  memory.seal();
  const slipway_workspace_vtbl& table = *instance.workspace()->vtbl;
  Made out;
  out.stop = stop;
  instance.trial().progress.step(name_of(function));
  const auto make = function == Function::kBuild ? table.build : table.plan;
  out.status =
      make(instance.workspace(), plain_call(), placed, kChecked<&Made::take>, &out, &out.error);
  memory.vanish();
  return out;
}

slipway_status discard(const Instance& instance, const std::string& image, slipway_error& error) {
  const slipway_workspace_vtbl& table = *instance.workspace()->vtbl;
  if (!abi::has(table, &slipway_workspace_vtbl::discard)) return SLIPWAY_OK;
  GuardedMemory memory;
  const slipway_str placed = memory.text(image);
  memory.seal();
  instance.trial().progress.step("discard");
  return table.discard(instance.workspace(), plain_call(), placed, &error);
}

// Removes what a check built, which may be on another machine. Ignores failures, which only the
// check workspaces.discard reports.
void tidy_up(const Instance& instance, const std::string& image) {
  slipway_error ignored;
  discard(instance, image, ignored);
}

void workspaces_unknown(const Trial& trial) {
  const Instance instance(trial);
  for (const std::string& source : {std::string(), std::string("/no/such/workspace"),
                                    std::string("://"), trial.provider + ":///no/such/workspace"}) {
    for (const Function function : {Function::kPlan, Function::kBuild}) {
      const std::string what = name_of(function) + " of the workspace \"" + source + "\"";
      const Made made = call(instance, function, source);
      inspect_failure(what, made.status, made.error);
      require(made.status < 0 && made.calls == 0, what + ", which does not exist, succeeded");
    }
  }
  require(!fs::exists(trial.directory + "/copies/copy"), "a build that failed left files");
}

void workspaces_plan_is_dry(const Trial& trial) {
  const Instance instance(trial);
  const Made made = call(instance, Function::kPlan, sample_workspace(trial.directory));
  require_ok("plan", made.status, made.error);
  require(made.calls == 1 && !made.image.empty(), "plan named no image");
  require(!fs::exists(trial.directory + "/copies"), "plan made files");
  const Made stopped =
      call(instance, Function::kPlan, sample_workspace(trial.directory), kCallbackStop);
  require(stopped.status == kCallbackStop, "plan does not return what its callback answered");
}

void workspaces_same_image(const Trial& trial) {
  const Instance instance(trial);
  const std::string source = sample_workspace(trial.directory);
  const Made planned = call(instance, Function::kPlan, source);
  const Made built = call(instance, Function::kBuild, source);
  require_ok("build", built.status, built.error);
  require(built.calls == 1 && built.image == planned.image,
          "plan says \"" + planned.image + "\" and build \"" + built.image + "\"");
  tidy_up(instance, built.image);
}

void workspaces_newer_host(const Trial& trial) {
  require_known_version(trial);
  const std::string source = sample_workspace(trial.directory);
  const Made planned = call(Instance(trial), Function::kPlan, source);
  play_newer_host();
  const Instance instance(trial);
  for (const Function function : {Function::kPlan, Function::kBuild}) {
    const Made made = call(instance, function, source);
    require_ok(name_of(function), made.status, made.error);
    require(made.image == planned.image, name_of(function) + " says \"" + made.image +
                                             "\" instead of \"" + planned.image + "\"");
  }
  tidy_up(instance, planned.image);
}

void workspaces_discards(const Trial& trial) {
  const Instance instance(trial);
  const slipway_workspace_vtbl& table = *instance.workspace()->vtbl;
  if (!abi::has(table, &slipway_workspace_vtbl::discard)) throw Inconclusive("it has no discard");
  const std::string source = sample_workspace(trial.directory);
  const Made built = call(instance, Function::kBuild, source);
  require_ok("build", built.status, built.error);
  // Discards the image twice, because a missing one is no error.
  for (const std::string& image :
       {source, built.image, built.image, std::string("/no/such/image")}) {
    slipway_error error;
    const slipway_status status = discard(instance, image, error);
    require_ok("discard of " + image, status, error);
  }
  require(fs::exists(source + "/train.py"), "discard removed files that build did not make");
  require(!fs::exists(trial.directory + "/copies/copy"), "discard left files that build made");
}

}  // namespace

std::vector<Check> workspace_checks() {
  constexpr const char* kKind = SLIPWAY_KIND_WORKSPACE;
  return {
      {"workspaces.unknown",
       kKind,
       Needs::kNothing,
       "a workspace that does not exist is an error with a message, and nothing is made",
       "check first that the workspace exists",
       &workspaces_unknown,
       {"provider.functions"}},
      {"workspaces.plan_is_dry",
       kKind,
       Needs::kNothing,
       "plan changes nothing and calls back once (abi/workspace.h)",
       "make files in build",
       &workspaces_plan_is_dry,
       {"provider.functions"}},
      {"workspaces.same_image",
       kKind,
       Needs::kNothing,
       "build makes the image that plan named",
       "compute its name in one function",
       &workspaces_same_image,
       {"provider.functions"}},
      {"workspaces.newer_host",
       kKind,
       Needs::kNothing,
       "the same image is made when the host's structs are larger than this version's (R1, R9)",
       "ask SLIPWAY_HAS for fields, and ignore reserved ones",
       &workspaces_newer_host,
       {"workspaces.same_image", "provider.newer_host"},
       Remedy::kAlsoForCrash},
      {"workspaces.discard",
       kKind,
       Needs::kNothing,
       "discard removes what build made, and nothing else (abi/workspace.h)",
       "leave a marker file beside the image, and check for it",
       &workspaces_discards,
       {"provider.functions"}},
  };
}

}  // namespace slipway::check
