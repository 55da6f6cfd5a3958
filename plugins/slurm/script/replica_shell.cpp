#include "plugins/slurm/script/replica_shell.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "plugins/slurm/script/job_steps.hpp"
#include "plugins/slurm/script/text_places.hpp"

namespace slipway::slurm {

namespace {

/// The function that wraps every replica; SIGNALS stands for kPassedOn. The subshell becomes the
/// program by exec, so that bash cannot run a builtin of the same name instead. The function's own
/// messages, such as "Segmentation fault", go to the job's output, not to the program's.
///
/// Only the subshell gets the variables of the role, at its end: the shell needs its own values of
/// PATH or SLIPWAY_REPLICA_ID. The program `env` sets only those that cannot be exported, because
/// all users can read the arguments of a program, and a variable may be a secret. `env` treats a
/// program whose name contains "=" as a variable, so `nice`, which changes nothing here, runs it.
///
/// EPOCHREALTIME is missing in bash 4, and has the decimal point of the locale. The local variables
/// have a prefix, because bash exports a local variable in place of an exported one of the same
/// name: without the prefix, the program would get our value.
constexpr const char* kReplica = R"bash(
slipway_replica() {  # ROLE PROGRAM [ARGUMENT...], with slipway_env and slipway_words of the role
  exec 3>&2
  exec 2>>"$SLIPWAY_JOB_OUTPUT" || exec 2>/dev/null
  local slipway_record="$SLIPWAY_RECORDS/replicas/$1-$SLIPWAY_REPLICA_ID"
  local slipway_attempt=${SLURM_RESTART_COUNT:-0} slipway_name=$1/$SLIPWAY_REPLICA_ID
  local slipway_begun=$(slipway_time) slipway_status slipway_ended slipway_stat slipway_ticks
  local slipway_error=$slipway_record.error.json
  # An attempt on a node that failed may write its file late.
  ((slipway_attempt == 0)) || slipway_error+=.$slipway_attempt
  shift
  export TORCHELASTIC_ERROR_FILE=${TORCHELASTIC_ERROR_FILE:-$slipway_error}
  rm -f "$slipway_error"
  # The program also gets them, with their default action: a subshell has no trap of its parent.
  # This shell stays to record how the program ended.
  trap : SIGNALS
  (
    printf 'started=%s node=%s pid=%s attempt=%s\n' "$slipway_begun" \
      "${SLURMD_NODENAME:-$HOSTNAME}" "$BASHPID" "$slipway_attempt" >>"$slipway_record"
    if ((${#slipway_words[@]} > 0)); then
      slipway_words=("$(type -P env)" -- "${slipway_words[@]}")
      [[ $1 != *=* ]] || slipway_words+=("$(type -P nice)" -n 0 --)
    fi
    slipway_env
    if ! type -P -- "$1" >/dev/null; then
      if [[ $1 == */* && -e $1 ]]; then
        echo "slipway: $slipway_name: $1 is not executable" >&2
        exit 126
      fi
      echo "slipway: $slipway_name: $1 is not found" >&2
      exit 127
    fi
    exec 2>&3 3>&- -- "${slipway_words[@]}" "$@"
  )
  slipway_status=$?
  slipway_ended=$(slipway_time)
  read -ra slipway_stat </proc/self/stat
  # The CPU time of this shell's children, in hundredths of a second.
  slipway_ticks=$((slipway_stat[15] + slipway_stat[16]))
  printf 'ended=%s code=%s ticks=%s attempt=%s\n' "$slipway_ended" "$slipway_status" \
    "$slipway_ticks" "$slipway_attempt" >>"$slipway_record"
  return "$slipway_status"
}

slipway_time() {
  local now=${EPOCHREALTIME:-$(date +%s)}
  printf '%s' "${now/,/.}"
}
)bash";

/// Returns whether the subshell can export a variable of this name with any value: bash allows it,
/// and the function above has no variable of this name.
bool can_be_exported(const std::string& name) {
  // Variables that are read-only in bash, or whose values it chooses itself.
  constexpr std::array<std::string_view, 27> kOfBash = {
      "BASHOPTS",      "BASHPID",      "BASH_ALIASES",  "BASH_ARGC",    "BASH_ARGV",
      "BASH_CMDS",     "BASH_COMMAND", "BASH_LINENO",   "BASH_SOURCE",  "BASH_SUBSHELL",
      "BASH_VERSINFO", "DIRSTACK",     "EPOCHREALTIME", "EPOCHSECONDS", "EUID",
      "FUNCNAME",      "GROUPS",       "HISTCMD",       "LINENO",       "OPTIND",
      "PPID",          "RANDOM",       "SECONDS",       "SHELLOPTS",    "SHLVL",
      "SRANDOM",       "UID"};
  if (name == "_" || name.starts_with("slipway_") ||
      std::find(kOfBash.begin(), kOfBash.end(), name) != kOfBash.end())
    return false;
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  return !name.empty() && (name.front() < '0' || name.front() > '9') &&
         name.find_first_not_of(kLetters) == std::string::npos;
}

/// Returns the shell text that gives the variables of the role to slipway_replica. A single command
/// exports them, because bash first expands all its words: a value may refer to SLIPWAY_REPLICA_ID
/// of the script, and the role may have a variable of that name.
std::string variables_of(const StrDict& env) {
  std::string exports;
  std::string words;
  for (const auto& [name, value] : env) {
    if (can_be_exported(name)) {
      exports += " " + name + "=" + bash_word(value);
    } else {
      words += (words.empty() ? "" : " ") + bash_word(name) + "=" + bash_word(value);
    }
  }
  const std::string body = exports.empty() ? ":" : "export" + exports;
  return "  slipway_env() { " + body + "; }\n  slipway_words=(" + words + ")\n";
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
  if (plan.shape == Shape::kRoles) {  // in the other shapes, srun opens the logs
    out += "  slipway_log=" + bash_word(plan.log_dir + "/slurm-") + "\"$SLIPWAY_APP_ID\"" +
           bash_word("-" + file_name_of(part.role) + "-") + "\"$SLIPWAY_REPLICA_ID\"\n" +
           "  exec >>\"$slipway_log.out\" 2>>\"$slipway_log.err\" || exit 1\n";
  }
  out += variables_of(part.env);
  out += "  slipway_replica " + bash_word(part.role) + " " + bash_word(part.entrypoint);
  for (const std::string& arg : part.args) out += " " + bash_word(arg);
  return out + "\n}\n";
}

}  // namespace slipway::slurm
