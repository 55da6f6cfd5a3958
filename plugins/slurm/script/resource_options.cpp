#include "plugins/slurm/script/resource_options.hpp"

#include <algorithm>

namespace slipway::slurm {

namespace {

void add(JobOptions& out, const char* name, std::int64_t value) {
  out.emplace_back(name, std::to_string(value));
}

/// Returns TorchX's options for a component of one replica.
JobOptions of_one_replica(const Resource& resource, const SlurmVersion& version,
                          bool asks_for_memory) {
  JobOptions out;
  add(out, "ntasks-per-node", 1);
  if (resource.cpu.whole() > 0) add(out, "cpus-per-task", resource.cpu.whole());
  if (asks_for_memory && resource.mem_mb > 0) add(out, "mem", resource.mem_mb);
  if (resource.gpu > 0) {
    if (version.has_gpus_per_node_only()) {
      add(out, "gpus-per-node", resource.gpu);
    } else {
      add(out, "gpus-per-task", resource.gpu);
      add(out, "ntasks", 1);
    }
  }
  return out;
}

}  // namespace

bool is_elastic(const Role& role) {
  return role.min_replicas && *role.min_replicas < role.num_replicas;
}

JobOptions resource_options(const Role& role, Shape shape, const SlurmVersion& version,
                            bool asks_for_memory) {
  const Resource& resource = role.resource;
  if (shape != Shape::kRoles) return of_one_replica(resource, version, asks_for_memory);

  JobOptions out;
  const bool elastic = is_elastic(role);
  const bool own_nodes = elastic || (resource.gpu > 0 && version.has_gpus_per_node_only());
  if (own_nodes) {
    const std::string most = std::to_string(role.num_replicas);
    out.emplace_back("nodes", elastic ? std::to_string(*role.min_replicas) + "-" + most : most);
    // Slurm 22.05 gives a job of 2-4 nodes always 2 if it has a number of tasks per node, so srun
    // gets that number instead.
    if (!elastic) add(out, "ntasks-per-node", 1);
  } else {
    add(out, "ntasks", role.num_replicas);
  }
  if (resource.cpu.whole() > 0) add(out, "cpus-per-task", resource.cpu.whole());
  if (asks_for_memory && resource.mem_mb > 0) {
    const std::int64_t cpus = std::max(resource.cpu.whole(), 1);
    if (own_nodes) {
      add(out, "mem", resource.mem_mb);
    } else {
      // Rounds up without an overflow.
      add(out, "mem-per-cpu", (resource.mem_mb - 1) / cpus + 1);
    }
  }
  if (resource.gpu > 0) add(out, own_nodes ? "gpus-per-node" : "gpus-per-task", resource.gpu);
  return out;
}

}  // namespace slipway::slurm
