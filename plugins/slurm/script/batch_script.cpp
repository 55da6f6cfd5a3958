#include "plugins/slurm/script/batch_script.hpp"

#include "plugins/slurm/script/marked_text.hpp"
#include "plugins/slurm/script/plan_builder.hpp"

namespace slipway::slurm {

namespace {

/// sbatch cuts an #SBATCH line into words by itself, with double quotes and backslashes.
std::string header_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_&|*[]";
  if (text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out.push_back('\\');
    out.push_back(c);
  }
  return out + "\"";
}

/// In Slurm's file names % starts a pattern.
std::string file_pattern(const std::string& path) {
  std::string out;
  for (const char c : path) out += c == '%' ? std::string("%%") : std::string(1, c);
  return out;
}

std::string header(const JobPlan& plan) {
  std::string out;
  for (const JobPart& part : plan.parts) {
    if (!out.empty()) out += "#SBATCH hetjob\n";
    const bool is_first = out.empty();
    out += "#SBATCH --job-name=" + header_word(part.name);
    for (const auto& [name, value] : part.sbatch)
      out += " " + header_word(option_text(name, value));
    out += "\n";
    if (!is_first) continue;
    if (plan.command.size() < 3 || plan.command[2].compare(0, 10, "--comment=") != 0)
      out += "#SBATCH --comment=" + header_word(marked_comment(std::nullopt, plan.mark)) + "\n";
    if (plan.shape == Shape::kArray)
      out += "#SBATCH --array=0-" + std::to_string(part.count - 1) + "\n";
    out += "#SBATCH --output=" +
           header_word(file_pattern(plan.record_dir) +
                       (plan.shape == Shape::kArray ? "/job-%a.out" : "/job.out")) +
           " --open-mode=append\n";
  }
  return out;
}

/// What every replica runs in; the subshell becomes the program, so that builtins of bash never stand in for it.
constexpr const char* kReplica = R"(
slipway_replica() {  # ROLE PROGRAM [ARGUMENT...]
  local record="$SLIPWAY_RECORDS/replicas/$1-$SLIPWAY_REPLICA_ID" status begun=$(slipway_time) ended
  shift
  trap : TERM INT  # the program gets it too; this shell stays to write down how it ended
  (
    trap - TERM INT
    printf 'started=%s node=%s pid=%s attempt=%s\n' "$begun" "${SLURMD_NODENAME:-$HOSTNAME}" \
      "$BASHPID" "${SLURM_RESTART_COUNT:-0}" >"$record"
    exec -- "$@"
  )
  status=$?
  ended=$(slipway_time)
  printf 'ended=%s code=%s\n' "$ended" "$status" >>"$record"
  return "$status"
}

slipway_time() {
  local now=${EPOCHREALTIME:-$(date +%s)}
  printf '%s' "${now/,/.}"
}
)";

/// Other names bash cannot export; `env` can.
bool is_shell_name(const std::string& name) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  return !name.empty() && (name.front() < '0' || name.front() > '9') &&
         name.find_first_not_of(kLetters) == std::string::npos;
}

std::string part_function(const JobPlan& plan, std::size_t index) {
  const JobPart& part = plan.parts[index];
  std::string out = "\nslipway_part_" + std::to_string(index) + "() {\n";
  const std::string replica = plan.shape == Shape::kRoles   ? "$SLURM_PROCID"
                              : plan.shape == Shape::kArray ? "$SLURM_ARRAY_TASK_ID"
                                                            : std::to_string(part.first);
  out += "  export SLIPWAY_REPLICA_ID=" + replica + "\n";
  std::string foreign_names;
  for (const auto& [name, value] : part.env) {
    if (is_shell_name(name)) {
      out += "  export " + name + "=" + bash_word(value) + "\n";
    } else {
      foreign_names += " " + bash_word(name) + "=" + bash_word(value);
    }
  }
  out += "  slipway_replica " + bash_word(part.role);
  if (!foreign_names.empty()) out += " env" + foreign_names;
  out += " " + bash_word(part.entrypoint);
  for (const std::string& arg : part.args) out += " " + bash_word(arg);
  return out + "\n}\n";
}

std::string srun_line(const JobPlan& plan, std::size_t index) {
  const JobPart& part = plan.parts[index];
  std::string out;
  for (const auto& [name, value] : part.srun) {
    const bool is_file = name == "output" || name == "error";
    out += " --" + name + "=";
    out += is_file ? "\"$SLIPWAY_LOGS\"/" + bash_word(*value) : bash_word(*value);
  }
  if (plan.parts.size() > 1) out += " --het-group=" + std::to_string(index);
  return out + " bash -c slipway_part_" + std::to_string(index);
}

/// TorchX's one srun for all components.
std::string one_step(const JobPlan& plan) {
  std::string out = "srun --open-mode=append";
  for (std::size_t i = 0; i < plan.parts.size(); ++i) {
    if (i > 0) out += " : \\\n     --open-mode=append";
    out += srun_line(plan, i);
  }
  return out + "\nstatus=$?\n";
}

/// A step for each role: ranks count from 0 in each of them, and the first that fails ends the others.
std::string step_per_role(const JobPlan& plan) {
  std::string out = "status=0\n";
  for (std::size_t i = 0; i < plan.parts.size(); ++i)
    out += "srun --open-mode=append" + srun_line(plan, i) + " &\n";
  return out + "for ((running = " + std::to_string(plan.parts.size()) +
         R"(; running > 0; running--)); do
  wait -n
  ended=$?
  if ((ended != 0 && status == 0)); then
    status=$ended
    steps=$(jobs -p)
    scancel --signal=TERM "$SLURM_JOB_ID"
    (sleep 30; kill $steps) &>/dev/null &
    disown
  fi
done
)";
}

/// The host of task 0 of the first component.
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

/// Slurm would requeue a job that is being cancelled, too, and one whose time is up: the replicas can be ended before this
/// script is.
std::string retry(const std::string& job) {
  return "\nif ((status != 0 && ${SLURM_RESTART_COUNT:-0} < TORCHX_MAX_RETRIES)); then\n"
         "  state=$(squeue --noheader --jobs=" +
         job +
         " --format=%T)\n"
         "  [[ ${state:-RUNNING} == RUNNING* ]] && scontrol requeue " +
         job + " && exit \"$status\"\nfi\n";
}

}  // namespace

std::string batch_script(const JobPlan& plan) {
  const bool is_array = plan.shape == Shape::kArray;
  std::string out = "#!/bin/bash\n#\n# Generated by Slipway " SLIPWAY_VERSION "\n# Run with:";
  for (const std::string& word : plan.command) out += " " + bash_word(word);
  out += "\n#\n" + header(plan) + "\nexport PYTHONUNBUFFERED=1 SLURM_UNBUFFEREDIO=1\n";
  out += std::string("export SLIPWAY_APP_ID=") +
         (is_array ? "\"$SLURM_ARRAY_JOB_ID\" SLIPWAY_REPLICA_ID=\"$SLURM_ARRAY_TASK_ID\""
                   : "\"$SLURM_JOB_ID\"") +
         "\n";
  out += "export TORCHX_MAX_RETRIES=" + std::to_string(plan.max_retries) + "\n";
  out += "export SLIPWAY_RECORDS=" + bash_word(plan.record_dir) + "\n";
  out += "SLIPWAY_LOGS=" + bash_word(file_pattern(plan.log_dir)) + "\n";
  out += rank0(plan) + kReplica;
  std::string names = "slipway_replica slipway_time";
  for (std::size_t i = 0; i < plan.parts.size(); ++i) {
    out += part_function(plan, i);
    names += " slipway_part_" + std::to_string(i);
  }
  out += "\nexport -f " + names + "\n\n";
  if (!plan.parts.empty()) {
    const bool one = plan.shape == Shape::kReplicas || plan.parts.size() == 1;
    out += one ? one_step(plan) : step_per_role(plan);
  }
  out += retry(is_array ? "\"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\"" : "\"$SLURM_JOB_ID\"");
  out += std::string("printf 'code=%s ended=%s\\n' \"$status\" \"$(slipway_time)\" ") +
         ">\"$SLIPWAY_RECORDS/result" + (is_array ? "-$SLURM_ARRAY_TASK_ID" : "") +
         "\"\nexit \"$status\"\n";
  return out;
}

}  // namespace slipway::slurm
