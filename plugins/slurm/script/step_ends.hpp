// How the steps of a job ended, from the records of their replicas.
#pragma once

#include <string>

#include "plugins/slurm/script/job_plan.hpp"

namespace slipway::slurm {

/// Returns the bash functions that wait for a step and read how its replicas ended:
/// `slipway_wait PID_OF_SRUN PART...` and, for each component, `slipway_recorded_N`.
std::string step_end_functions(const JobPlan& plan);

/// Returns the lines that make a job with status 0 fail if a replica never ran, recorded no end, or
/// recorded a failure. They ignore services, because the job may end before a service has started.
std::string check_that_all_ended(const JobPlan& plan);

}  // namespace slipway::slurm
