#include "plugins/slurm/engine/job_signal.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <optional>
#include <set>
#include <string_view>

#include "plugins/slurm/engine/slurm_command.hpp"
#include "sdk/support/joined.hpp"
#include "sdk/support/plain_number.hpp"
#include "slipway/error.hpp"
#include "slipway/lines.hpp"

namespace slipway::slurm {

namespace {

constexpr Patience kOnce{std::chrono::milliseconds(20000), 1};  // time limit, number of calls

/// Reads a number. Returns -1 for a text that is not a whole number of 0 or more.
std::int64_t whole_number(std::string_view text) {
  const auto number = plain_number<std::int64_t>(text);
  return number && *number >= 0 ? *number : -1;
}

/// Reads "12.0", "12_3.0" or "12+1.0": a step of job 12, of its task 3 or of its component 1.
/// Returns nullopt for other steps, such as "12.batch". Writes the step of a component with the
/// number of the component's job, because scancel does not know the form with "+".
std::optional<JobStep> read_step(std::string_view text, const std::vector<QueueJob>& jobs) {
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos || whole_number(text.substr(point + 1)) < 0)
    return std::nullopt;
  const std::string_view job_text = text.substr(0, point);
  const std::size_t separator = job_text.find_first_of("_+");
  const bool is_part = separator != std::string_view::npos;
  const std::int64_t number = whole_number(job_text.substr(0, separator));
  const std::int64_t part = is_part ? whole_number(job_text.substr(separator + 1)) : -1;
  const auto job = std::find_if(jobs.begin(), jobs.end(), [&](const QueueJob& each) {
    if (!is_part) return each.id == number && !each.array_task;
    if (job_text[separator] == '+') return each.het_id == number && each.het_offset == part;
    return each.array_id == number && each.array_task && *each.array_task == part;
  });
  if (job == jobs.end()) return std::nullopt;
  if (!is_part || job_text[separator] == '_') return JobStep{std::string(text), job->id};
  return JobStep{std::to_string(job->id) + std::string(text.substr(point)), job->id};
}

/// Runs a command that sends signals, once.
ProgramResult run_once(const StrList& argv, const Call& call) {
  try {
    return ask(argv, call, kOnce);
  } catch (const Error& error) {
    if (error.code() != Code::kTemporary) throw;
    throw Error(Code::kTemporary, error.message() + "; replicas may have got the signal",
                "look at the replicas before you send it again");
  }
}

/// Returns the nodes of the processes, each once, joined by commas. Sets `count` to their number.
std::string node_list(const std::vector<ReplicaProcess>& processes, std::size_t& count) {
  std::set<std::string> nodes;
  for (const ReplicaProcess& process : processes) nodes.insert(process.node);
  count = nodes.size();
  return joined(nodes, ",");
}

}  // namespace

bool wrapper_outlives(int signal) {
  constexpr std::array kDeadly = {SIGILL,  SIGBUS,  SIGFPE,  SIGKILL, SIGSEGV,
                                  SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU};
  constexpr int kFirstOfLibrary = 32;  // the C library uses these two for threads
  constexpr int kLastOfLibrary = 33;
  return std::find(kDeadly.begin(), kDeadly.end(), signal) == kDeadly.end() &&
         (signal < kFirstOfLibrary || signal > kLastOfLibrary);
}

// The shell around a replica is `bash -c slipway_part_N`: the third word of its command line names
// its component. `read -d ''` reads up to a NUL or the end of the file: a process may have a
// newline in its name.
std::string node_signal_script() {
  return R"(app=$1 part=$2 signal=$3 here=${SLURMD_NODENAME:-$HOSTNAME}
shift 3
declare -A parents children
for file in /proc/[0-9]*/stat; do
  line=
  IFS= read -r -d '' line 2>/dev/null <"$file"
  [[ $line ]] || continue
  pid=${line%% *} rest=${line##*) }
  rest=${rest#* }
  parents[$pid]=${rest%% *}
  children[${rest%% *}]+=" $pid"
done
is_wrapper() {  # PID
  local word words=() owner=
  while IFS= read -r -d '' word; do words+=("$word"); done 2>/dev/null <"/proc/$1/cmdline"
  while IFS= read -r -d '' word; do
    [[ $word != "SLIPWAY_APP_ID=$app" ]] || owner=1
  done 2>/dev/null <"/proc/$1/environ"
  [[ $owner && ${words[2]-} == "slipway_part_$part" ]]
}
while (($#)); do
  pid=$1 replica=$2 node=$3
  shift 3
  [[ $node == "$here" && ${parents[$pid]-} ]] && is_wrapper "${parents[$pid]}" || continue
  tree=(${children[$pid]-})
  for ((i = 0; i < ${#tree[@]}; i++)); do tree+=(${children[${tree[i]}]-}); done
  kill -n "$signal" "$pid" 2>/dev/null && printf '%s\n' "$replica"
  ((${#tree[@]} == 0)) || kill -n "$signal" "${tree[@]}" 2>/dev/null
done
exit 0
)";
}

std::vector<JobStep> query_steps(const JobId& id, const std::vector<QueueJob>& jobs,
                                 const Call& call) {
  StrList argv = {"squeue", "--steps", "--noheader", "--format=%i"};
  if (!id.cluster.empty()) argv.push_back("--clusters=" + id.cluster);
  argv.push_back("--jobs=" +
                 joined(jobs, ",", [](const QueueJob& job) { return std::to_string(job.id); }));
  const ProgramResult result = ask(argv, call);
  if (!result.ok()) {
    if (reports_ended_job(result)) return {};
    throw command_error(argv, result, "cannot list the steps of the job");
  }
  std::vector<JobStep> out;
  for (std::string_view line : split_lines(result.out)) {
    line = trimmed(line);
    if (auto step = read_step(line, jobs)) out.push_back(std::move(*step));
  }
  return out;
}

void signal_steps(const JobId& id, const StrList& steps, int signal, const Call& call) {
  StrList argv = {"scancel", "--signal=" + std::to_string(signal)};
  if (!id.cluster.empty()) argv.push_back("--clusters=" + id.cluster);
  argv.insert(argv.end(), steps.begin(), steps.end());
  const ProgramResult result = run_once(argv, call);
  if (!result.ok() && !reports_ended_job(result))
    throw command_error(argv, result, "cannot signal job " + std::to_string(id.number));
}

std::vector<std::int32_t> signal_programs(const JobId& id, const QueueJob& component,
                                          std::size_t part,
                                          const std::vector<ReplicaProcess>& processes, int signal,
                                          const Call& call) {
  if (!id.cluster.empty()) {
    // A signal that the shells survive comes here only for a part of a step: the caller signals
    // whole steps with signal_steps().
    const bool is_for_a_part = wrapper_outlives(signal);
    throw Error(Code::kUnimplemented,
                "job " + std::to_string(id.number) + " belongs to the cluster " + id.cluster +
                    (is_for_a_part ? ": single replicas cannot be signalled from here"
                                   : ": signal " + std::to_string(signal) +
                                         " cannot be sent to replicas from here"),
                std::string("call slipway on a host of that cluster, or ") +
                    (is_for_a_part ? "signal the whole app or role" : "cancel the app"));
  }
  std::size_t node_count = 0;
  const std::string nodes = node_list(processes, node_count);
  const std::string count = std::to_string(node_count);
  const std::int64_t job = component.het_id != 0 ? component.het_id : component.id;
  StrList argv = {"srun",
                  "--jobid=" + std::to_string(job),
                  "--overlap",
                  "--quiet",
                  "--mem=0",
                  "--gres=none",
                  "--mpi=none",
                  "--input=none",
                  "--chdir=/",
                  "--nodelist=" + nodes,
                  "--nodes=" + count,
                  "--ntasks=" + count,
                  "--ntasks-per-node=1"};
  if (component.het_id != 0) argv.push_back("--het-group=" + std::to_string(component.het_offset));
  argv.insert(argv.end(),
              {"bash", "-c", node_signal_script(), "slipway-signal",
               std::to_string(component.app_id()), std::to_string(part), std::to_string(signal)});
  for (const ReplicaProcess& process : processes) {
    argv.insert(argv.end(),
                {std::to_string(process.pid), std::to_string(process.replica), process.node});
  }
  const ProgramResult result = run_once(argv, call);
  std::vector<std::int32_t> out;
  for (const std::string_view line : split_lines(result.out)) {
    const std::int64_t replica = whole_number(line.substr(0, line.find('\n')));
    if (replica >= 0) out.push_back(static_cast<std::int32_t>(replica));
  }
  if (!result.ok() && out.empty() && !reports_ended_job(result))
    throw command_error(argv, result, "cannot signal replicas of job " + std::to_string(id.number));
  return out;
}

}  // namespace slipway::slurm
