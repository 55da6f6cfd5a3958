// The lines of a batch script that sbatch reads.
#pragma once

#include <string>

#include "plugins/slurm/script/job_plan.hpp"

namespace slipway::slurm {

/// Escapes %, which starts a pattern in Slurm's file names.
std::string file_pattern(const std::string& path);

/// Returns the #SBATCH lines of all components.
std::string sbatch_lines(const JobPlan& plan);

}  // namespace slipway::slurm
