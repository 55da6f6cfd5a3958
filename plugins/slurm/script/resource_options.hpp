// What a role asks of its nodes, in sbatch's words.
#pragma once

#include "plugins/slurm/script/cluster_facts.hpp"
#include "plugins/slurm/script/job_plan.hpp"
#include "slipway/app.hpp"

namespace slipway::slurm {

/// Whether the role may start with fewer replicas than it has.
bool is_elastic(const Role& role);

/// How many tasks a component has, and what each of them gets. A resource of 0 or less is not asked
/// for.
///
/// Slurm counts memory per node or per cpu, never per task. A component whose replicas may share
/// nodes asks per cpu, rounded up; one with a replica on each node asks per node.
JobOptions resource_options(const Role& role, Shape shape, const SlurmVersion& version,
                            bool asks_for_memory);

}  // namespace slipway::slurm
