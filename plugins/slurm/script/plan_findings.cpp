#include "plugins/slurm/script/plan_findings.hpp"

#include <algorithm>

namespace slipway::slurm {

namespace {

bool mentions_rank0(const Role& role) {
  const auto mentions = [](const std::string& text) {
    return text.find("rank0_env") != std::string::npos;
  };
  return std::any_of(role.args.begin(), role.args.end(), mentions) ||
         std::any_of(role.env.begin(), role.env.end(),
                     [&](const auto& entry) { return mentions(entry.second); });
}

}  // namespace

void tell_findings(const Role& role, Shape shape, bool gres,
                   const Scheduler::OnFinding& on_finding) {
  if (!on_finding) return;
  const auto ignored = [&](const char* field, const char* why) {
    on_finding({Finding::Kind::kIgnored, role.name, field, why});
  };
  if (!role.mounts.empty()) ignored("mounts", "replicas see the file systems of their node");
  if (!role.port_map.empty()) ignored("port_map", "replicas have the network of their node");
  if (!role.resource.devices.empty() && !gres)
    ignored("resource.devices", "ask for them with the run option sbatch=gres:NAME:COUNT");
  if (role.min_replicas && shape != Shape::kRoles) {
    ignored("min_replicas", shape == Shape::kArray
                                ? "the replicas of an array start one by one anyway"
                                : "each replica is a component, and all components start together");
  }
  if (role.max_retries > 0) {
    const RetryPolicy done =
        shape == Shape::kArray ? RetryPolicy::kReplica : RetryPolicy::kApplication;
    if (role.retry_policy != done) {
      ignored("retry_policy", shape == Shape::kArray
                                  ? "a replica of an array is requeued by itself: REPLICA"
                                  : "a job is requeued as a whole: APPLICATION");
    }
  }
  if (shape == Shape::kArray && mentions_rank0(role))
    ignored("args", "${rank0_env}: the replicas of an array do not run together");
}

}  // namespace slipway::slurm
