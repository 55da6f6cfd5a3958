// The environment of each replica of an app that the runner submits. Does not read `torchxconfig`:
// see skips.toml.

#include <cstdlib>

#include "tests/vectors/bench.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/option_case.hpp"
#include "tests/vectors/kinds/vector_app.hpp"
#include "tests/vectors/placeholders.hpp"

namespace slipway::vectors {
namespace {

constexpr const char* kSession = "torchx";
constexpr const char* kSessionId = "TORCHX_INTERNAL_SESSION_ID";
constexpr const char* kVectorSessionId = "00000000-0000-4000-8000-000000000000";

Dict<Value> given_options(const json::object& input) {
  Dict<Value> out = option_values(member(input, "cfg"));
  // TorchX's form of a job, the only one with an environment for each replica.
  if (text_member(input, "scheduler") == "slurm") set<Value>(out, "het_per_replica", true);
  return out;
}

/// Returns the environments of a local request by role and replica, or those of a job by the
/// replica's name.
json::object environments(const json::object& request) {
  json::object out;
  if (const json::value* replicas = request.if_contains("replicas")) {
    for (const auto& replica : replicas->as_object())
      out[replica.key()] = member(replica.value().as_object(), "env");
    return out;
  }
  for (const auto& role : member(request, "role_params").as_object()) {
    std::size_t id = 0;
    for (const json::value& replica : role.value().as_array()) {
      out[std::string(role.key()) + "/" + std::to_string(id++)] =
          member(replica.as_object(), "env");
    }
  }
  return out;
}

}  // namespace

json::value run_scheduler_env_vars(VectorCase& one, Bench& bench) {
  const ScratchDirectory root;
  Surroundings surroundings(root.make("cwd"));
  surroundings.set("HOME", root.make("home"));
  surroundings.set("XDG_STATE_HOME", root.make("state"));
  for (const char* name : {kSessionId, "TORCHX_PARENT_RUN_ID", "TORCHX_TRACKERS"})
    surroundings.unset(name);
  if (const json::value* variables = one.input.if_contains("environ")) {
    for (const auto& entry : variables->as_object())
      surroundings.set(std::string(entry.key()), text_member(variables->as_object(), entry.key()));
  }
  const AppDef app = app_of(member(one.input, "app"));
  const json::value* parent = one.input.if_contains("parent_run_id");
  const AppDryRun dryrun = bench.runner(kSession).dryrun(
      app, text_member(one.input, "scheduler"), given_options(one.input),
      parent != nullptr ? json::value_to<std::string>(*parent) : std::string());

  const json::value printed = json::parse(dryrun.request.json());
  // Random unless the caller sets it, but the same in all replicas.
  Replacements ids = {{root.path() + "/cwd", "<CWD>"}};
  // Slurm assigns the id of a job.
  if (printed.as_object().contains("app_id"))
    ids.emplace_back(text_member(printed.as_object(), "app_id"), app.name + "-bcdfghjkl01234");
  if (std::getenv(kSessionId) == nullptr)
    ids.emplace_back(*find(dryrun.app.roles.front().env, kSessionId), kVectorSessionId);
  return replaced(environments(printed.as_object()), ids);
}

}  // namespace slipway::vectors
