// The environment of each replica in the runner's dry run. Ignores the input `torchxconfig`: see
// skips.toml.

#include <cstdlib>

#include "tests/vectors/bench.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/option_case.hpp"
#include "tests/vectors/kinds/vector_app.hpp"
#include "tests/vectors/placeholders.hpp"

namespace slipway::vectors {
namespace {

constexpr const char* kTorchxSession = "torchx";
constexpr const char* kSessionIdVariable = "TORCHX_INTERNAL_SESSION_ID";
constexpr const char* kVectorSessionId = "00000000-0000-4000-8000-000000000000";

Dict<Value> given_options(const json::object& input) {
  Dict<Value> out = option_values(member(input, "cfg"));
  // TorchX's form of a job, the only one with an environment for each replica.
  if (text_member(input, "scheduler") == "slurm") set<Value>(out, "het_per_replica", true);
  return out;
}

/// Removes the variables that Slipway adds to those of TorchX's containers.
json::value without_additions(json::object variables) {
  for (const char* name : {"PYTHONUNBUFFERED", "SLIPWAY_APP_ID", "SLIPWAY_REPLICA_ID",
                           "SLIPWAY_ROLE", "TINI_KILL_PROCESS_GROUP", "TORCHX_MAX_RETRIES"})
    variables.erase(name);
  return variables;
}

/// Returns the environments of a local request by role and replica, those of a job by the replica's
/// name, or those of containers by their names.
json::object environments(const json::object& request) {
  json::object out;
  if (const json::value* containers = request.if_contains("containers")) {
    for (const json::value& container : containers->as_array())
      out[text_member(container.as_object(), "name")] =
          without_additions(member(container.as_object(), "environment").as_object());
    return out;
  }
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
  for (const char* name : {kSessionIdVariable, "TORCHX_PARENT_RUN_ID", "TORCHX_TRACKERS"})
    surroundings.unset(name);
  if (const json::value* variables = one.input.if_contains("environ")) {
    for (const auto& entry : variables->as_object())
      surroundings.set(std::string(entry.key()), text_member(variables->as_object(), entry.key()));
  }
  const AppDef app = app_of(member(one.input, "app"));
  const json::value* parent = one.input.if_contains("parent_run_id");
  const AppDryRun dryrun =
      bench.runner(kTorchxSession)
          .dryrun(app, text_member(one.input, "scheduler"), given_options(one.input),
                  parent != nullptr ? json::value_to<std::string>(*parent) : std::string());

  const json::value printed = json::parse(dryrun.request.json());
  Replacements ids = {{root.path() + "/cwd", "<CWD>"}};
  // Slurm assigns the id of a job.
  if (printed.as_object().contains("app_id"))
    ids.emplace_back(text_member(printed.as_object(), "app_id"), app.name + "-bcdfghjkl01234");
  // Random unless the caller sets it, but the same in all replicas.
  if (std::getenv(kSessionIdVariable) == nullptr)
    ids.emplace_back(*find(dryrun.app.roles.front().env, kSessionIdVariable), kVectorSessionId);
  return replaced(environments(printed.as_object()), ids);
}

}  // namespace slipway::vectors
