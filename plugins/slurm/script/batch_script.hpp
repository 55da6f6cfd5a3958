// The batch script of a job.
#pragma once

#include <string>

#include "plugins/slurm/script/job_plan.hpp"

namespace slipway::slurm {

/// A script for bash 4.2 and newer that sbatch takes as it is, and that a person can read.
///
/// Each component's program stands in a function `slipway_part_N`, which sets the environment by
/// itself, so that no value passes through a list with commas. Each replica leaves a line in
/// `<record_dir>/replicas/<role>-<id>`: `started=SECONDS node=NAME pid=PID attempt=N`, and at its
/// end `ended=SECONDS code=STATUS` behind it (STATUS is the shell's: 128+n for signal n). The
/// script leaves `code=STATUS ended=SECONDS` in `<record_dir>/result` (of an array, `result-<id>`)
/// once it will not be requeued any more.
std::string batch_script(const JobPlan& plan);

}  // namespace slipway::slurm
