#include "plugins/slurm/script/step_ends.hpp"

#include "plugins/slurm/script/text_places.hpp"

namespace slipway::slurm {

namespace {

/// The functions that read how the replicas of a component ended. The script needs them for three
/// ends that srun's status does not show: of a replica that never ran, for example because of a run
/// option; of a replica on a node that failed, for which srun ends with 0; and of a step whose
/// status bash lost (5.2 does so if a signal arrives at the moment when the step ends; the status
/// of `wait` is then negative). A signal that arrives during `wait` ends it with 128 plus the
/// signal's number, as if the step had died by that signal, so such a status counts only if a
/// second `wait` also returns it.
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
    if [[ $code == none ]]; then
      echo "slipway: $1/$k has recorded no end" >&2
      unended=1
    elif ((code > recorded)); then
      recorded=$code
    fi
  done
}

slipway_wait() {  # PID_OF_SRUN PART...; sets `ended` to the status of the step
  local part before unended= recorded=0
  wait "$1"
  ended=$?
  while ((ended > 128 && ended != before)); do
    before=$ended
    wait "$1"
    ended=$?
  done
  shift
  ((ended < 0)) || return 0
  for part in "$@"; do "slipway_recorded_$part"; done
  ended=$((recorded == 0 && unended ? 1 : recorded))
}
)bash";

/// Returns the smallest number of replicas that a component runs. An elastic one, with
/// "--nodes=2-4", runs one on each of its nodes. The user may have given `nodes` in another form.
std::string least_count(const JobPart& part) {
  const bool is_elastic = find(part.srun, "ntasks-per-node") != nullptr;
  const auto* nodes = find(part.sbatch, "nodes");
  if (!is_elastic || nodes == nullptr || !*nodes) return std::to_string(part.count);
  const std::string least = (*nodes)->substr(0, (*nodes)->find('-'));
  const bool is_number = least.find_first_not_of("0123456789") == std::string::npos;
  return is_number && !least.empty() ? least : "1";
}

}  // namespace

std::string step_end_functions(const JobPlan& plan) {
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

std::string check_that_all_ended(const JobPlan& plan) {
  std::string out = "if ((status == 0)); then\n  unended= recorded=0\n";
  for (std::size_t i = 0; i < plan.parts.size(); ++i)
    if (!plan.parts[i].service) out += "  slipway_recorded_" + std::to_string(i) + "\n";
  return out + "  status=$((recorded == 0 && unended ? 1 : recorded))\nfi\n";
}

}  // namespace slipway::slurm
