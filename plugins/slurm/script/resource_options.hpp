// The resource of a role as options of sbatch.
#pragma once

#include "plugins/slurm/script/cluster_facts.hpp"
#include "plugins/slurm/script/job_plan.hpp"
#include "slipway/app.hpp"

namespace slipway::slurm {

/// Returns whether the role may start with fewer replicas than it has.
bool is_elastic(const Role& role);

/// Returns the options for the number of a component's tasks and for the resource of each task.
/// Leaves out resources of 0 or less.
///
/// Slurm counts memory per node or per CPU, never per task. A component with one replica on each
/// node asks for memory per node. A component whose replicas may share nodes asks for it per CPU,
/// rounded up. No component asks for memory unless `asks_for_memory`.
JobOptions resource_options(const Role& role, Shape shape, const SlurmVersion& version,
                            bool asks_for_memory);

}  // namespace slipway::slurm
