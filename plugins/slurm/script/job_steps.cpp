#include "plugins/slurm/script/job_steps.hpp"

#include <algorithm>
#include <string_view>

#include "plugins/slurm/script/text_places.hpp"

namespace slipway::slurm {

namespace {

/// Returns the call of srun that runs the component with the number `index`.
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
  // From 22.05 on, srun does not take this option from sbatch.
  if (part.cpus > 0) out += " --cpus-per-task=" + std::to_string(part.cpus);
  for (const auto& [name, value] : plan.srun_options)
    out += " " + bash_word(option_text(name, value));
  if (plan.parts.size() > 1) out += " --het-group=" + std::to_string(index);
  return out + " bash -c slipway_part_" + std::to_string(index);
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

/// The lines that wait until all steps in `steps` have ended, and set `status` to that of the first
/// in `watched` that failed. If a failure stops the app, they end the other steps: with SIGTERM,
/// and after 30 s by the end of their srun.
constexpr const char* kWaitForSteps = R"bash(
while ((${#steps[@]} > 0)); do
  wait -n  # a signal ends it, too
  running=()
  for step in "${watched[@]}"; do kill -0 "$step" 2>/dev/null && running+=("$step"); done
  for step in "${watched[@]}"; do
    [[ " ${running[*]} " == *" $step "* ]] && continue
    slipway_wait "$step" "${part_of[$step]}"
    if ((ended != 0 && status == 0)); then
      status=$ended
      if ((slipway_stop_all)) && slipway_is_current RUNNING; then
        scancel --signal=TERM "$SLURM_JOB_ID"
        (sleep 30; kill "${running[@]}" "${services[@]}") &>/dev/null &
        disown
      fi
    fi
  done
  watched=("${running[@]}") left=()
  for step in "${steps[@]}"; do [[ " ${running[*]} " == *" $step "* ]] && left+=("$step"); done
  steps=("${left[@]}")
done
)bash";

/// The function that stops a service. It writes a note into the records of the replicas that have
/// not ended, and sends SIGTERM to their step with scancel: srun itself would end its tasks at once
/// when it gets SIGTERM, so only a step without tasks yet is stopped by its srun. The id of the
/// step consists of the id of the component's job, which only the script knows, and the number of
/// the step, which the first task of the step has written into a file.
constexpr const char* kStopServices = R"bash(
slipway_stop_service() {  # JOB STEP-FILE SRUN ROLE COUNT
  local k record attempt=${SLURM_RESTART_COUNT:-0}
  slipway_is_newest || return 0
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

/// Returns the lines that start a step for each role, wait for all roles except services, and then
/// stop the services: with SIGTERM, and after 30 s by the end of their srun. The end of a service
/// counts only with fail_fast. In each step, ranks count from 0, so they number the replicas.
std::string step_per_role(const JobPlan& plan) {
  std::string out = "status=0\nsteps=() services=() part_of=()\n";
  std::string stops;
  for (std::size_t i = 0; i < plan.parts.size(); ++i) {
    const JobPart& part = plan.parts[i];
    const std::string number = std::to_string(i);
    if (!part.service) {
      out += srun_line(plan, i) + " &\nsteps+=(\"$!\") part_of[$!]=" + number + "\n";
      continue;
    }
    out += "rm -f " + service_step_file(i) + "\n" + srun_line(plan, i) + " &\nservice_" + number +
           "=$!\nservices+=(\"$!\") part_of[$!]=" + number + "\n";
    stops += "slipway_stop_service \"${SLURM_JOB_ID_HET_GROUP_" + number + ":-$SLURM_JOB_ID}\" " +
             service_step_file(i) + " \"$service_" + number + "\" " + bash_word(part.role) + ' ' +
             std::to_string(part.count) + '\n';
  }
  out += std::string("watched=(\"${steps[@]}\"") + (plan.fail_fast ? " \"${services[@]}\")" : ")");
  out += kWaitForSteps;
  if (stops.empty()) return out;
  return out + stops + R"((sleep 30; kill "${services[@]}") &>/dev/null &
disown
for step in "${services[@]}"; do
  while kill -0 "$step" 2>/dev/null; do wait "$step"; done
done
)";
}

}  // namespace

std::string service_step_file(std::size_t index) {
  return "\"$SLIPWAY_RECORDS/step-" + std::to_string(index) + '"';
}

std::string service_functions(const JobPlan& plan) {
  return has_services(plan) ? kStopServices : "";
}

std::string run_steps(const JobPlan& plan) {
  if (plan.shape == Shape::kReplicas || plan.parts.size() == 1) return one_step(plan);
  return step_per_role(plan);
}

}  // namespace slipway::slurm
