// What a Slurm job will not do of what a role says.
#pragma once

#include "plugins/slurm/script/job_plan.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::slurm {

void tell_findings(const Role& role, Shape shape, const Scheduler::OnFinding& on_finding);

}  // namespace slipway::slurm
