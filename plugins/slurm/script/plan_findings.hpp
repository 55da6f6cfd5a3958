// What a Slurm job will not do of what a role says.
#pragma once

#include "plugins/slurm/script/job_plan.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::slurm {

/// `gres`: the run options ask for generic resources, as which Slurm has devices.
void tell_findings(const Role& role, Shape shape, bool gres,
                   const Scheduler::OnFinding& on_finding);

}  // namespace slipway::slurm
