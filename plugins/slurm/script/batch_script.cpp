#include "plugins/slurm/script/batch_script.hpp"

#include "plugins/slurm/script/job_steps.hpp"
#include "plugins/slurm/script/replica_shell.hpp"
#include "plugins/slurm/script/sbatch_lines.hpp"
#include "plugins/slurm/script/step_ends.hpp"
#include "plugins/slurm/script/text_places.hpp"

namespace slipway::slurm {

namespace {

/// Returns the functions by which an attempt finds out whether it is the newest one. After a
/// failure of this node, Slurm starts the job again, but this script and its replicas may still
/// run. They must not act on the job of the next attempt. `slipway_is_current` asks Slurm, whose
/// answer is exact; `slipway_is_newest` reads the record, and needs no query.
std::string attempt_functions(const std::string& job, const std::string& task) {
  return "\nslipway_is_current() {  # [STATE-IF-UNKNOWN]; whether the job runs, in this attempt\n"
         "  local state restarts pause own=${SLURM_RESTART_COUNT:-0}\n"
         "  for pause in 1 2 4; do\n"
         "    read -r state restarts < <(squeue --noheader --jobs=" +
         job +
         " --Format=State,RestartCnt) && break\n"
         "    sleep \"$pause\"\n  done\n"
         "  [[ ${state:-$1} == RUNNING && ${restarts:-$own} == \"$own\" ]]\n}\n"
         "\nslipway_is_newest() {  # whether no later attempt has started\n"
         "  [[ $(<\"$SLIPWAY_RECORDS/attempt" +
         task + "\") == \"$SLIPWAY_ATTEMPT\" ]]\n}\n";
}

/// Returns the handlers of the script. They pass signals that only the batch script gets
/// (`sbatch.signal=B:USR1@60`) to the replicas. When Slurm ends a job, it sends SIGTERM to the
/// script and to the replicas. Then the script ends and writes no result, because a result would
/// hide that the job was cancelled.
std::string signal_handlers(const std::string& job) {
  return "\nslipway_pass_on() {  # SIGNAL\n"
         "  if (($1 == 15)) && ! slipway_is_current; then\n"
         "    trap - 15\n    kill -15 $$\n  fi\n"
         "  scancel --signal=\"$1\" " +
         job + "\n}\nfor signal in " + kPassedOn +
         "; do trap \"slipway_pass_on $signal\" \"$signal\"; done\n";
}

/// Returns the assignment that decides whether a replica that fails ends the others. With the run
/// option fail_fast it does; without that option, it does if a retry of the job follows.
std::string stop_rule(const JobPlan& plan) {
  if (plan.shape != Shape::kRoles) return {};
  return plan.fail_fast ? "slipway_stop_all=1\n"
                        : "slipway_stop_all=$((${SLURM_RESTART_COUNT:-0} < TORCHX_MAX_RETRIES))\n";
}

/// Returns the first lines. They record the id of the job, because sbatch may not have printed it,
/// and the attempt, and remove the result of an earlier attempt. They end a job that the user
/// cancelled before Slurm answered its submission, or while Slurm requeued it, with the status of a
/// shell for SIGTERM.
std::string report_start(const JobPlan& plan, const std::string& job, const std::string& task) {
  return std::string("[[ -s $SLIPWAY_RECORDS/job-id ]] || echo \"$SLIPWAY_APP_ID") +
         (clusters_of(plan).empty() ? "" : ";$SLURM_CLUSTER_NAME") +
         "\" >\"$SLIPWAY_RECORDS/job-id\"\n"
         "echo \"$SLIPWAY_ATTEMPT\" >\"$SLIPWAY_RECORDS/attempt" +
         task + "\"\nrm -f \"$SLIPWAY_RECORDS/result" + task +
         "\"\n"
         "if [[ -e $SLIPWAY_RECORDS/cancelled || -e $SLIPWAY_RECORDS/cancelling ]]; then\n  "
         "scancel " +
         job + "\n  exit 143\nfi\n";
}

/// Returns the lines that set the variables with hosts: for each component that a text mentions,
/// the host of its first task.
std::string hosts(const JobPlan& plan) {
  std::string out;
  for (const std::size_t part : plan.hosts) {
    const std::string name = host_variable(part);
    out += name + "=$(scontrol show hostnames \"${SLURM_JOB_NODELIST_HET_GROUP_" +
           std::to_string(part) + ":-$SLURM_JOB_NODELIST}\" | head -n 1)\nexport " + name + '\n';
  }
  return out;
}

/// Returns the lines that set SLIPWAY_RANK0_HOST to the host of task 0. In TorchX's shape, they
/// instead set TorchX's variable, the list of all nodes of the first component, which Slurm sets
/// only in heterogeneous jobs. Returns no lines for an array.
std::string rank0(const JobPlan& plan) {
  if (plan.shape == Shape::kArray) return "";
  if (plan.shape == Shape::kReplicas) {
    return ": \"${SLURM_JOB_NODELIST_HET_GROUP_0:=$SLURM_JOB_NODELIST}\"\n"
           "export SLURM_JOB_NODELIST_HET_GROUP_0\n";
  }
  return "SLIPWAY_RANK0_HOST=$(scontrol show hostnames "
         "\"${SLURM_JOB_NODELIST_HET_GROUP_0:-$SLURM_JOB_NODELIST}\" | head -n 1)\n"
         "export SLIPWAY_RANK0_HOST\n";
}

/// Returns the lines that requeue the job after a failure, but not if it was cancelled or has
/// reached its time limit. In both cases the replicas may end before this script, and Slurm would
/// still requeue the job, so the lines ask Slurm for its state. A cancellation writes the note
/// `cancelling` before it calls scancel, so the lines also see one that comes after Slurm's answer.
std::string retry(const std::string& job) {
  return "\nif ((status != 0 && ${SLURM_RESTART_COUNT:-0} < TORCHX_MAX_RETRIES)); then\n"
         "  slipway_is_current && [[ ! -e $SLIPWAY_RECORDS/cancelling ]] && scontrol requeue " +
         job + " && exit \"$status\"\nfi\n";
}

/// Returns the lines that record the result, unless a later attempt has started.
std::string report_end(const std::string& task) {
  return "slipway_is_newest && printf 'code=%s ended=%s\\n' \"$status\" \"$(slipway_time)\" "
         ">\"$SLIPWAY_RECORDS/result" +
         task + "\"\nexit \"$status\"\n";
}

}  // namespace

std::string batch_script(const JobPlan& plan) {
  const bool is_array = plan.shape == Shape::kArray;
  const std::string job =
      is_array ? "\"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\"" : "\"$SLURM_JOB_ID\"";
  const std::string task = is_array ? "-$SLURM_ARRAY_TASK_ID" : "";  // in names of files
  std::string out = "#!/bin/bash\n#\n# Generated by Slipway " SLIPWAY_VERSION "\n# Run with:";
  for (const std::string& word : plan.command) out += " " + bash_word(word);
  // With --export=NONE a job may have no PATH. Bash then has a default, which srun sees only if
  // bash exports it.
  out += "\n#\n" + sbatch_lines(plan) + "\nexport PATH PYTHONUNBUFFERED=1 SLURM_UNBUFFEREDIO=1\n";
  out += std::string("export SLIPWAY_APP_ID=") +
         (is_array ? "\"$SLURM_ARRAY_JOB_ID\" SLIPWAY_REPLICA_ID=\"$SLURM_ARRAY_TASK_ID\""
                   : "\"$SLURM_JOB_ID\"") +
         "\n";
  out += "export SLIPWAY_ATTEMPT=$((${SLURM_RESTART_COUNT:-0} + 1))\n";
  out += "export TORCHX_MAX_RETRIES=" + std::to_string(plan.max_retries) + "\n";
  out += "export SLIPWAY_RECORDS=" + bash_word(plan.record_dir) + "\n";
  out += "export SLIPWAY_JOB_OUTPUT=\"$SLIPWAY_RECORDS/job" + task + ".out\"\n";
  out += "SLIPWAY_LOGS=" + bash_word(file_pattern(plan.log_dir)) + "\n";
  out += report_start(plan, job, task);
  out += stop_rule(plan) + rank0(plan) + hosts(plan) + replica_functions();
  out += service_functions(plan);
  std::string names = "slipway_replica slipway_time";
  for (std::size_t i = 0; i < plan.parts.size(); ++i) {
    out += part_function(plan, i);
    names += " slipway_part_" + std::to_string(i);
  }
  out += "\nexport -f " + names + "\n" + attempt_functions(job, task) + signal_handlers(job) + "\n";
  out += step_end_functions(plan);
  if (!plan.parts.empty()) out += run_steps(plan) + check_that_all_ended(plan);
  out += retry(job) + report_end(task);
  return out;
}

}  // namespace slipway::slurm
