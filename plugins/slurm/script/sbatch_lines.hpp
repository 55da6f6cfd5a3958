// The lines of a batch script that sbatch reads.
#pragma once

#include <string>

#include "plugins/slurm/script/job_plan.hpp"

namespace slipway::slurm {

/// Returns the path as a pattern for Slurm's file names, with %% for %.
std::string file_pattern(const std::string& path);

/// Returns the #SBATCH lines of all components.
std::string sbatch_lines(const JobPlan& plan);

}  // namespace slipway::slurm
