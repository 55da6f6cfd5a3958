// Describes apps that TorchX submitted, from the output of fake squeue and sacct.

#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/slurm_case.hpp"

namespace slipway::vectors {
namespace {

json::object role_json(const Role& role) {
  const Resource& resource = role.resource;
  return {{"name", role.name},
          {"num_replicas", role.num_replicas},
          {"image", role.image},
          {"entrypoint", role.entrypoint},
          {"resource", json::object{{"cpu", resource.cpu.whole()},
                                    {"gpu", resource.gpu},
                                    {"memMB", resource.mem_mb},
                                    {"capabilities", json::object()},
                                    {"devices", json::object()},
                                    {"tags", json::object()}}}};
}

/// TorchX has two notations for a missing value.
json::value message(const std::string& text, const VectorCase& one) {
  if (!text.empty() || !one.expected || !one.expected->is_object()) return json::string(text);
  const json::value& expected = member(one.expected->as_object(), "msg");
  return expected == "<NONE>" || expected == "" ? expected : json::value("");
}

}  // namespace

json::value run_slurm_describe(VectorCase& one, Bench& bench) {
  const SlurmCase slurm(one);
  slurm.install_answer("squeue");
  slurm.install_answer("sacct");
  const registry::PluginScheduler scheduler = slurm.scheduler(bench);
  const auto app = scheduler.describe(text_member(one.input, "app_id"),
                                      SLIPWAY_WANT_REPLICAS | SLIPWAY_WANT_APP_DEF);
  if (!app) return nullptr;
  json::array roles;
  json::array replicas;
  if (app->app) {
    for (const Role& role : app->app->roles) roles.push_back(role_json(role));
  }
  for (const RoleStatus& role : app->roles) {
    for (const ReplicaStatus& replica : role.replicas) {
      replicas.push_back(json::object{{"role", role.role},
                                      {"id", replica.id},
                                      {"state", json::string(to_string(replica.state))},
                                      {"hostname", replica.hostname}});
    }
  }
  return json::object{{"app_id", app->app_id},
                      {"state", json::string(to_string(app->state))},
                      {"msg", message(app->msg, one)},
                      {"num_restarts", app->num_restarts},
                      {"ui_url", app->ui_url.empty() ? json::value() : json::value(app->ui_url)},
                      {"roles", std::move(roles)},
                      {"replicas", std::move(replicas)}};
}

}  // namespace slipway::vectors
