// The batch script of a job.
#pragma once

#include <string>

#include "plugins/slurm/script/job_plan.hpp"

namespace slipway::slurm {

/// Returns a readable script for sbatch and bash 4.3 or newer.
///
/// For each component, a function `slipway_part_N` sets the environment and runs the program, so no
/// value passes through one of Slurm's lists with commas, such as that of --export.
///
/// Each replica writes lines into `<record_dir>/replicas/<role>-<id>`:
/// - at its start: `started=SECONDS node=NAME pid=PID attempt=N`;
/// - at its end: `ended=SECONDS code=STATUS ticks=CPU attempt=N`. STATUS is the shell's, 128+n for
///   signal n; CPU is in hundredths of a second.
/// Before the script stops a service, it writes `stopped=SECONDS attempt=N` there. In these lines N
/// counts the requeues, from 0.
///
/// When all replicas have ended and the script does not requeue the job, it writes `code=STATUS
/// ended=SECONDS` into `<record_dir>/result` (for a task of an array, `result-<id>`). It writes no
/// result if Slurm ends the job, for example after a cancellation or at the time limit.
/// `<record_dir>/job-id` has the job's id from its start on. `<record_dir>/attempt`
/// (`attempt-<id>`) has the number of the attempt that started last, from 1.
///
/// An attempt on a node that failed may still run. Before it writes the result or stops a service,
/// it compares its number with that file. Before it requeues the job, passes SIGTERM on or stops
/// the other steps, it asks Slurm. The script reads the notes of cancel_app()
/// (scheduler/app_lookup.hpp), `cancelled` and `cancelling`.
std::string batch_script(const JobPlan& plan);

}  // namespace slipway::slurm
