// The steps of a job: the calls of srun, their order, and what ends them.
#pragma once

#include <cstddef>
#include <string>

#include "plugins/slurm/script/job_plan.hpp"

namespace slipway::slurm {

/// Returns the path, as a word of bash, of the file in the record that has the number of a
/// service's step. `index` is the number of the component.
std::string service_step_file(std::size_t index);

/// Returns the bash function that stops services; empty for a job without services.
std::string service_functions(const JobPlan& plan);

/// Returns the lines that run all steps and set `status` to the exit status of the job.
std::string run_steps(const JobPlan& plan);

}  // namespace slipway::slurm
