#include "plugins/slurm/script/batch_script.hpp"

#include <algorithm>

#include "plugins/slurm/script/marked_text.hpp"
#include "plugins/slurm/script/plan_builder.hpp"

namespace slipway::slurm {

namespace {

/// Quotes a word for an #SBATCH line, where sbatch reads double quotes and backslashes.
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

/// Escapes %, which starts a pattern in Slurm's file names.
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

/// The signals that the script's shells survive, because the program also gets them: all that a
/// program can catch, without those that report defects of the shell, those of job control, and the
/// two that the C library uses.
constexpr const char* kPassedOn = "1 2 3 5 6 10 {12..16} {23..31} {34..64}";

/// Wraps every replica. The subshell becomes the program by exec, so bash runs no builtin of the
/// same name instead. The shell's own messages, such as "Segmentation fault", go to the job's
/// output, not to the program's.
constexpr const char* kReplica = R"(
slipway_replica() {  # ROLE PROGRAM [ARGUMENT...]
  local record="$SLIPWAY_RECORDS/replicas/$1-$SLIPWAY_REPLICA_ID" attempt=${SLURM_RESTART_COUNT:-0}
  local name=$1/$SLIPWAY_REPLICA_ID status begun=$(slipway_time) ended stat ticks
  shift
  export TORCHELASTIC_ERROR_FILE=${TORCHELASTIC_ERROR_FILE:-$record.error.json}
  rm -f "$record.error.json"
  exec 3>&2
  exec 2>>"$SLIPWAY_JOB_OUTPUT" || exec 2>/dev/null
  trap : SIGNALS  # the program also gets them; this shell stays to record how it ended
  (
    trap - SIGNALS
    printf 'started=%s node=%s pid=%s attempt=%s\n' "$begun" "${SLURMD_NODENAME:-$HOSTNAME}" \
      "$BASHPID" "$attempt" >>"$record"
    if ! type -P -- "$1" >/dev/null; then
      if [[ -e $1 ]]; then
        echo "slipway: $name: $1 is not executable" >&2
        exit 126
      fi
      echo "slipway: $name: $1 is not found" >&2
      exit 127
    fi
    exec 2>&3 3>&- -- "$@"
  )
  status=$?
  ended=$(slipway_time)
  read -ra stat </proc/self/stat
  ticks=$((stat[15] + stat[16]))  # the CPU time of this shell's children, in hundredths of a second
  printf 'ended=%s code=%s ticks=%s attempt=%s\n' "$ended" "$status" "$ticks" "$attempt" >>"$record"
  return "$status"
}

slipway_time() {
  local now=${EPOCHREALTIME:-$(date +%s)}
  printf '%s' "${now/,/.}"
}
)";

std::string replica_functions() {
  std::string out = kReplica;
  const std::string place = "SIGNALS";
  for (std::size_t at = out.find(place); at != std::string::npos; at = out.find(place, at))
    out.replace(at, place.size(), kPassedOn);
  return out;
}

/// Returns whether bash can export a variable of this name; `env` sets others.
bool is_shell_name(const std::string& name) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  return !name.empty() && (name.front() < '0' || name.front() > '9') &&
         name.find_first_not_of(kLetters) == std::string::npos;
}

/// Returns the file of a record with the id of the step of a service, for bash.
std::string step_file(std::size_t index) {
  return "\"$SLIPWAY_RECORDS/step-" + std::to_string(index) + '"';
}

std::string part_function(const JobPlan& plan, std::size_t index) {
  const JobPart& part = plan.parts[index];
  std::string out = "\nslipway_part_" + std::to_string(index) + "() {\n";
  const std::string replica = plan.shape == Shape::kRoles   ? "$SLURM_PROCID"
                              : plan.shape == Shape::kArray ? "$SLURM_ARRAY_TASK_ID"
                                                            : std::to_string(part.first);
  out += "  export SLIPWAY_REPLICA_ID=" + replica + "\n";
  out += "  export SLIPWAY_ROLE=" + bash_word(part.role) + "\n";
  if (part.service) {
    out += "  if [[ $SLURM_PROCID == 0 ]]; then echo \"$SLURM_STEP_ID\" >" + step_file(index) +
           "; fi\n";
  }
  std::string foreign_names;
  for (const auto& [name, value] : part.env) {
    if (is_shell_name(name)) {
      out += "  export " + name + "=" + bash_word(value) + "\n";
    } else {
      foreign_names += " " + bash_word(name) + "=" + bash_word(value);
    }
  }
  if (plan.shape == Shape::kRoles) {
    out += "  slipway_log=" + bash_word(plan.log_dir + "/slurm-") + "\"$SLIPWAY_APP_ID\"" +
           bash_word("-" + file_name_of(part.role) + "-") + "\"$SLIPWAY_REPLICA_ID\"\n" +
           "  exec >>\"$slipway_log.out\" 2>>\"$slipway_log.err\" || exit 1\n";
  }
  out += "  slipway_replica " + bash_word(part.role);
  if (!foreign_names.empty()) out += " env" + foreign_names;
  out += " " + bash_word(part.entrypoint);
  for (const std::string& arg : part.args) out += " " + bash_word(arg);
  return out + "\n}\n";
}

std::string srun_line(const JobPlan& plan, std::size_t index) {
  const JobPart& part = plan.parts[index];
  // The functions of this script reach srun's tasks as variables of its environment, so srun
  // exports all of them, even if the submitter exported nothing.
  std::string out = "srun --open-mode=append --export=ALL";
  for (const auto& [name, value] : part.srun) {
    const bool is_file = name == "output" || name == "error";
    out += " --" + name + "=";
    if (is_file) out += "\"$SLIPWAY_LOGS\"/";
    const bool is_stop = name == "kill-on-bad-exit" && plan.shape == Shape::kRoles;
    out += is_stop ? std::string("\"$slipway_stop_all\"") : bash_word(value.value_or(""));
  }
  if (part.cpus > 0) out += " --cpus-per-task=" + std::to_string(part.cpus);
  for (const auto& [name, value] : plan.srun_options)
    out += " " + bash_word(option_text(name, value));
  if (plan.parts.size() > 1) out += " --het-group=" + std::to_string(index);
  return out + " bash -c slipway_part_" + std::to_string(index);
}

/// Reads how the replicas of a component ended. Needed for two ends that srun's status does not
/// show: a replica that never ran, such as one that a run option left out, and a step whose status
/// bash lost (5.2 does if a signal arrives at the moment when the step ends).
constexpr const char* kRecorded = R"bash(
slipway_recorded() {  # ROLE FIRST COUNT; adds to `recorded` and `unended`
  local k lines line code
  for ((k = $2; k < $2 + $3; k++)); do
    lines=() code=
    [[ -e $SLIPWAY_RECORDS/replicas/$1-$k ]] && mapfile -t lines <"$SLIPWAY_RECORDS/replicas/$1-$k"
    for line in "${lines[@]}"; do
      [[ $line == *" attempt=${SLURM_RESTART_COUNT:-0}" ]] || continue
      code=${code:-none}
      [[ $line == ended=* ]] && code=${line#* code=} code=${code%% *}
    done
    if [[ ! $code ]]; then
      echo "slipway: $1/$k never ran" >&2
      code=1
    fi
    if [[ $code == none ]]; then unended=1; elif ((code > recorded)); then recorded=$code; fi
  done
}

slipway_wait() {  # STEP PART...; sets `ended` to the status of the step
  local part unended= recorded=0
  wait "$1"
  ended=$?
  shift
  ((ended < 0)) || return 0
  for part in "$@"; do "slipway_recorded_$part"; done
  ended=$((recorded == 0 && unended ? 1 : recorded))
}
)bash";

/// Returns the number of replicas that a component has at least: an elastic one, "--nodes=2-4", has
/// one on each of its nodes.
std::string least_count(const JobPart& part) {
  const bool is_elastic = find(part.srun, "ntasks-per-node") != nullptr;
  const auto* nodes = find(part.sbatch, "nodes");
  if (!is_elastic || nodes == nullptr || !*nodes) return std::to_string(part.count);
  const std::string least = (*nodes)->substr(0, (*nodes)->find('-'));
  const bool is_number = least.find_first_not_of("0123456789") == std::string::npos;
  return is_number && !least.empty() ? least : "1";
}

/// Returns the calls of slipway_recorded() for each component.
std::string recorded_parts(const JobPlan& plan) {
  std::string out = kRecorded;
  for (std::size_t i = 0; i < plan.parts.size(); ++i) {
    const JobPart& part = plan.parts[i];
    const bool is_array = plan.shape == Shape::kArray;
    out += "slipway_recorded_" + std::to_string(i) + "() { slipway_recorded " +
           bash_word(part.role) + ' ' +
           (is_array ? "\"$SLURM_ARRAY_TASK_ID\" 1"
                     : std::to_string(part.first) + ' ' + least_count(part)) +
           "; }\n";
  }
  return out;
}

/// Makes the job fail if a replica never ran. Services may end before they run.
std::string check_recorded(const JobPlan& plan) {
  std::string out = "if ((status == 0)); then\n  recorded=0\n";
  for (std::size_t i = 0; i < plan.parts.size(); ++i)
    if (!plan.parts[i].service) out += "  slipway_recorded_" + std::to_string(i) + "\n";
  return out + "  status=$recorded\nfi\n";
}

/// Returns TorchX's single srun for all components.
std::string one_step(const JobPlan& plan) {
  std::string out;
  std::string parts;
  for (std::size_t i = 0; i < plan.parts.size(); ++i) {
    std::string line = srun_line(plan, i);
    if (i > 0) line.replace(0, std::string_view("srun").size(), " : \\\n    ");
    out += line;
    parts += ' ' + std::to_string(i);
  }
  return out + R"( &
step=$!
while kill -0 "$step" 2>/dev/null; do wait "$step"; done  # a signal ends the wait
slipway_wait "$step")" +
         parts + "\nstatus=$ended\n";
}

/// Starts a step for each role, in which ranks count from 0. If a failure stops the app, the first
/// role that fails ends the others.
std::string step_per_role(const JobPlan& plan) {
  std::string out = "status=0\nsteps=() part_of=()\n";
  for (std::size_t i = 0; i < plan.parts.size(); ++i)
    out += srun_line(plan, i) + " &\nsteps+=(\"$!\") part_of[$!]=" + std::to_string(i) + "\n";
  return out + R"bash(while ((${#steps[@]} > 0)); do
  wait -n  # ends also by a signal
  left=()
  for step in "${steps[@]}"; do kill -0 "$step" 2>/dev/null && left+=("$step"); done
  for step in "${steps[@]}"; do
    [[ " ${left[*]} " == *" $step "* ]] && continue
    slipway_wait "$step" "${part_of[$step]}"
    if ((ended != 0 && status == 0)); then
      status=$ended
      if ((slipway_stop_all)); then
        scancel --signal=TERM "$SLURM_JOB_ID"
        (sleep 30; kill "${left[@]}") &>/dev/null &
        disown
      fi
    fi
  done
  steps=("${left[@]}")
done
)bash";
}

/// Stops the services: notes it in the records of their replicas that run, and sends SIGTERM to
/// their steps. The first task of a step has written the number of its step; the script alone knows
/// the id of the component's job. srun ends its tasks at once when it gets
/// SIGTERM itself.
constexpr const char* kStopServices = R"bash(
slipway_stop_service() {  # JOB STEP-FILE SRUN ROLE COUNT
  local k record attempt=${SLURM_RESTART_COUNT:-0}
  for ((k = 0; k < $5; k++)); do
    record="$SLIPWAY_RECORDS/replicas/$4-$k"
    [[ $(tail -n 1 "$record" 2>/dev/null) == ended=*\ attempt=$attempt ]] && continue
    printf 'stopped=%s attempt=%s\n' "$(slipway_time)" "$attempt" >>"$record"
  done
  kill -0 "$3" 2>/dev/null || return 0
  if [[ -s $2 ]]; then scancel --signal=TERM "$1.$(cat "$2")"; else kill "$3"; fi
}
)bash";

bool has_services(const JobPlan& plan) {
  return std::any_of(plan.parts.begin(), plan.parts.end(),
                     [](const JobPart& part) { return part.service; });
}

/// Starts a step for each role, waits for those that are no services, and then stops the services.
/// The end of a service counts only with fail_fast.
std::string steps_with_services(const JobPlan& plan) {
  std::string out = "status=0\nsteps=() services=() part_of=()\n";
  std::string stops;
  for (std::size_t i = 0; i < plan.parts.size(); ++i) {
    const JobPart& part = plan.parts[i];
    if (!part.service) {
      out += srun_line(plan, i) + " &\nsteps+=(\"$!\") part_of[$!]=" + std::to_string(i) + "\n";
      continue;
    }
    out += "rm -f " + step_file(i) + "\n" + srun_line(plan, i) + " &\nservice_" +
           std::to_string(i) + "=$!\nservices+=(\"$!\") part_of[$!]=" + std::to_string(i) + "\n";
    stops += "slipway_stop_service \"${SLURM_JOB_ID_HET_GROUP_" + std::to_string(i) +
             ":-$SLURM_JOB_ID}\" " + step_file(i) + " \"$service_" + std::to_string(i) + "\" " +
             bash_word(part.role) + ' ' + std::to_string(part.count) + '\n';
  }
  out += std::string("watched=(\"${steps[@]}\"") + (plan.fail_fast ? " \"${services[@]}\"" : "") +
         R"bash()
while ((${#steps[@]} > 0)); do
  wait -n
  for step in "${watched[@]}"; do
    kill -0 "$step" 2>/dev/null && continue
    slipway_wait "$step" "${part_of[$step]}"
    if ((ended != 0 && status == 0)); then
      status=$ended
      if ((slipway_stop_all)); then
        scancel --signal=TERM "$SLURM_JOB_ID"
        (sleep 30; kill "${steps[@]}" "${services[@]}") &>/dev/null &
        disown
      fi
    fi
  done
  left=()
  for step in "${steps[@]}"; do kill -0 "$step" 2>/dev/null && left+=("$step"); done
  steps=("${left[@]}")
done
)bash";
  out += stops + R"((sleep 30; kill "${services[@]}") &>/dev/null &
disown
for step in "${services[@]}"; do
  while kill -0 "$step" 2>/dev/null; do wait "$step"; done
done
)";
  return out;
}

/// Passes signals for the batch script alone (`sbatch.signal=B:USR1@60`) to the replicas. Slurm
/// sends SIGTERM to the script and to the replicas of a job that it ends: the script then ends, and
/// leaves no result that would hide that the job was cancelled.
std::string signal_handlers(const std::string& job) {
  return "\nslipway_pass_on() {  # SIGNAL\n"
         "  if (($1 == 15)) && [[ $(squeue --noheader --jobs=" +
         job +
         " --format=%T) != RUNNING* ]]; then\n"
         "    trap - 15\n    kill -15 $$\n  fi\n"
         "  scancel --signal=\"$1\" " +
         job + "\n}\nfor signal in " + kPassedOn +
         "; do trap \"slipway_pass_on $signal\" \"$signal\"; done\n";
}

/// Returns the assignment that decides whether a replica that fails ends the others: on request,
/// and if a retry follows.
std::string stop_rule(const JobPlan& plan) {
  if (plan.shape != Shape::kRoles) return {};
  return plan.fail_fast ? "slipway_stop_all=1\n"
                        : "slipway_stop_all=$((${SLURM_RESTART_COUNT:-0} < TORCHX_MAX_RETRIES))\n";
}

/// Records the id of the job, which `sbatch` may not have printed, and ends a job that the user
/// cancelled before Slurm answered its submission.
std::string report_start(const JobPlan& plan, const std::string& job) {
  const bool has_clusters =
      !plan.parts.empty() && find(plan.parts.front().sbatch, "clusters") != nullptr;
  return std::string("[[ -s $SLIPWAY_RECORDS/job-id ]] || echo \"$SLIPWAY_APP_ID") +
         (has_clusters ? ";$SLURM_CLUSTER_NAME" : "") +
         "\" >\"$SLIPWAY_RECORDS/job-id\"\n"
         "if [[ -e $SLIPWAY_RECORDS/cancelled ]]; then\n  scancel " +
         job + "\n  exit 143\nfi\n";
}

/// Sets the variables with the hosts of the first tasks of the components that texts mention.
std::string hosts(const JobPlan& plan) {
  std::string out;
  for (const std::size_t part : plan.hosts) {
    const std::string name = host_variable(part);
    out += name + "=$(scontrol show hostnames \"${SLURM_JOB_NODELIST_HET_GROUP_" +
           std::to_string(part) + ":-$SLURM_JOB_NODELIST}\" | head -n 1)\nexport " + name + '\n';
  }
  return out;
}

/// Sets the variable with the host of task 0 of the first component.
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

/// Requeues the job after a failure, but not if it was cancelled or its time is up: the replicas
/// may end before this script, and Slurm would requeue the job even then.
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
  const std::string job =
      is_array ? "\"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\"" : "\"$SLURM_JOB_ID\"";
  std::string out = "#!/bin/bash\n#\n# Generated by Slipway " SLIPWAY_VERSION "\n# Run with:";
  for (const std::string& word : plan.command) out += " " + bash_word(word);
  // With --export=NONE a job may have no PATH. Bash then has a default, which srun sees only if
  // bash exports it.
  out += "\n#\n" + header(plan) + "\nexport PATH PYTHONUNBUFFERED=1 SLURM_UNBUFFEREDIO=1\n";
  out += std::string("export SLIPWAY_APP_ID=") +
         (is_array ? "\"$SLURM_ARRAY_JOB_ID\" SLIPWAY_REPLICA_ID=\"$SLURM_ARRAY_TASK_ID\""
                   : "\"$SLURM_JOB_ID\"") +
         "\n";
  out += "export SLIPWAY_ATTEMPT=$((${SLURM_RESTART_COUNT:-0} + 1))\n";
  out += "export TORCHX_MAX_RETRIES=" + std::to_string(plan.max_retries) + "\n";
  out += "export SLIPWAY_RECORDS=" + bash_word(plan.record_dir) + "\n";
  out += std::string("export SLIPWAY_JOB_OUTPUT=\"$SLIPWAY_RECORDS/job") +
         (is_array ? "-$SLURM_ARRAY_TASK_ID" : "") + ".out\"\n";
  out += "SLIPWAY_LOGS=" + bash_word(file_pattern(plan.log_dir)) + "\n";
  out += report_start(plan, job);
  out += stop_rule(plan) + rank0(plan) + hosts(plan) + replica_functions();
  if (has_services(plan)) out += kStopServices;
  std::string names = "slipway_replica slipway_time";
  for (std::size_t i = 0; i < plan.parts.size(); ++i) {
    out += part_function(plan, i);
    names += " slipway_part_" + std::to_string(i);
  }
  out += "\nexport -f " + names + "\n" + signal_handlers(job) + "\n";
  out += recorded_parts(plan);
  if (!plan.parts.empty()) {
    const bool one = plan.shape == Shape::kReplicas || plan.parts.size() == 1;
    out += one                  ? one_step(plan)
           : has_services(plan) ? steps_with_services(plan)
                                : step_per_role(plan);
    out += check_recorded(plan);
  }
  out += retry(job);
  out += std::string("printf 'code=%s ended=%s\\n' \"$status\" \"$(slipway_time)\" ") +
         ">\"$SLIPWAY_RECORDS/result" + (is_array ? "-$SLURM_ARRAY_TASK_ID" : "") +
         "\"\nexit \"$status\"\n";
  return out;
}

}  // namespace slipway::slurm
