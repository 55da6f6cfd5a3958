// Describes apps from the engine's list of containers.

#include "plugins/docker/request/container_plan.hpp"
#include "plugins/docker/state/app_description.hpp"
#include "tests/vectors/kinds.hpp"

namespace slipway::vectors {

namespace {

json::object listed(const json::object& container) {
  const json::object labels = {
      {docker::kAppIdLabel, "app"},
      {docker::kRoleLabel, member(container, "role")},
      {docker::kReplicaLabel,
       std::to_string(member(container, "replica").to_number<std::int64_t>())}};
  const auto code = member(container, "exit_code").to_number<std::int64_t>();
  return {{"Id", "c"},
          {"Names", {json::string("/" + text_member(container, "name"))}},
          {"State", member(container, "status")},
          {"Status", "Exited (" + std::to_string(code) + ") 2 hours ago"},
          {"Labels", labels}};
}

}  // namespace

json::value run_docker_describe(VectorCase& one, Bench&) {
  json::array containers;
  for (const json::value& each : member(one.input, "containers").as_array())
    containers.push_back(listed(each.as_object()));
  docker::Answer answer;
  answer.status = 200;
  answer.body = json::serialize(containers);
  std::vector<docker::Container> found = docker::containers_in(answer);
  if (found.empty()) return nullptr;
  docker::sort_replicas(found);
  const Description app = docker::description_of(found, true);
  json::array roles;
  json::array replicas;
  for (const RoleStatus& role : app.roles) {
    roles.push_back({{"name", role.role}, {"num_replicas", role.replicas.size()}});
    for (const ReplicaStatus& replica : role.replicas) {
      replicas.push_back({{"role", role.role},
                          {"id", replica.id},
                          {"state", json::string(to_string(replica.state))},
                          {"hostname", replica.hostname}});
    }
  }
  return json::object{{"state", json::string(to_string(app.state))},
                      {"roles", std::move(roles)},
                      {"replicas", std::move(replicas)}};
}

}  // namespace slipway::vectors
