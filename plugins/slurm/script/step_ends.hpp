// How the steps of a job ended, from the records of their replicas.
#pragma once

#include <string>

#include "plugins/slurm/script/job_plan.hpp"

namespace slipway::slurm {

/// Returns the functions of bash that wait for a step and read how its replicas ended:
/// `slipway_wait STEP PART...` and, for each component, `slipway_recorded_N`.
std::string step_end_functions(const JobPlan& plan);

/// Returns the lines that make the job fail if a replica never ran or recorded no end. Services may
/// end before they run.
std::string check_that_all_ended(const JobPlan& plan);

}  // namespace slipway::slurm
