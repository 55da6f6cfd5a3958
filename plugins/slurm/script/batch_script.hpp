// The batch script of a job.
#pragma once

#include <string>

#include "plugins/slurm/script/job_plan.hpp"

namespace slipway::slurm {

/// Returns a readable script for sbatch and bash 4.2 or newer.
///
/// A function `slipway_part_N` for each component sets its environment and runs its program, so no
/// value passes through one of Slurm's lists with commas. Each replica writes a line into
/// `<record_dir>/replicas/<role>-<id>`: `started=SECONDS node=NAME pid=PID attempt=N`, and at its
/// end another one: `ended=SECONDS code=STATUS ticks=CPU attempt=N` (STATUS is the shell's: 128+n
/// for signal n; CPU is in hundredths of a second). When the script stops a service, it writes
/// `stopped=SECONDS attempt=N` there before. When the job ends and Slurm will not requeue it, the
/// script writes `code=STATUS ended=SECONDS` into `<record_dir>/result` (of an array,
/// `result-<id>`). `attempt` (`attempt-<id>`) has the number of the attempt that started last, from
/// 1 on: an attempt on a node that failed may live on, and then leaves job and result alone.
std::string batch_script(const JobPlan& plan);

}  // namespace slipway::slurm
