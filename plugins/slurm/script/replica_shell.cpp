#include "plugins/slurm/script/replica_shell.hpp"

#include <string_view>

#include "plugins/slurm/script/job_steps.hpp"
#include "plugins/slurm/script/text_places.hpp"

namespace slipway::slurm {

namespace {

/// The function that wraps every replica; SIGNALS stands for kPassedOn. The subshell becomes the
/// program by exec, so that bash cannot run a builtin of the same name instead. The shell's own
/// messages, such as "Segmentation fault", go to the job's output, not to the program's.
/// EPOCHREALTIME is missing in bash 4, and has the decimal point of the locale.
constexpr const char* kReplica = R"(
slipway_replica() {  # ROLE PROGRAM [ARGUMENT...]
  local record="$SLIPWAY_RECORDS/replicas/$1-$SLIPWAY_REPLICA_ID" attempt=${SLURM_RESTART_COUNT:-0}
  local name=$1/$SLIPWAY_REPLICA_ID status begun=$(slipway_time) ended stat ticks
  local error=$record.error.json
  ((attempt == 0)) || error+=.$attempt  # an attempt on a node that failed may write its file late
  shift
  export TORCHELASTIC_ERROR_FILE=${TORCHELASTIC_ERROR_FILE:-$error}
  rm -f "$error"
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

/// Returns whether bash can export a variable of this name. The program `env` sets the others.
bool is_shell_name(const std::string& name) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  return !name.empty() && (name.front() < '0' || name.front() > '9') &&
         name.find_first_not_of(kLetters) == std::string::npos;
}

}  // namespace

std::string replica_functions() {
  std::string out = kReplica;
  const std::string place = "SIGNALS";
  for (std::size_t at = out.find(place); at != std::string::npos; at = out.find(place, at))
    out.replace(at, place.size(), kPassedOn);
  return out;
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
    out += "  if [[ $SLURM_PROCID == 0 ]]; then echo \"$SLURM_STEP_ID\" >" +
           service_step_file(index) + "; fi\n";
  }
  std::string foreign_names;
  for (const auto& [name, value] : part.env) {
    if (is_shell_name(name)) {
      out += "  export " + name + "=" + bash_word(value) + "\n";
    } else {
      foreign_names += " " + bash_word(name) + "=" + bash_word(value);
    }
  }
  if (plan.shape == Shape::kRoles) {  // in the other shapes, srun opens the logs
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

}  // namespace slipway::slurm
