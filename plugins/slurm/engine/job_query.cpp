#include "plugins/slurm/engine/job_query.hpp"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "plugins/slurm/engine/slurm_command.hpp"
#include "plugins/slurm/script/cluster_facts.hpp"
#include "plugins/slurm/script/job_plan.hpp"
#include "plugins/slurm/state/job_lines.hpp"
#include "plugins/slurm/state/squeue_json.hpp"
#include "sdk/support/joined.hpp"
#include "sdk/support/plain_number.hpp"
#include "slipway/lines.hpp"

namespace slipway::slurm {

namespace {

bool mentions(const ProgramResult& result, std::string_view text) {
  return result.err.find(text) != std::string::npos;
}

/// Returns whether squeue does not know --json: before 21.08, or if it was built without JSON.
bool lacks_json(const ProgramResult& result) {
  return mentions(result, "unrecognized option") || mentions(result, "invalid option") ||
         mentions(result, "serializer") || mentions(result, "data_parser") ||
         mentions(result, "openapi");
}

/// Returns whether `squeue --json` can print a single job. Before 23.02 it prints the whole queue.
/// Also returns true if squeue does not report a version that this can read.
bool has_json_of_one_job(const Call& call) {
  constexpr Patience kBrief{std::chrono::milliseconds(5000), 1};
  constexpr int kFirstMajor = 23;
  const ProgramResult result = ask({"squeue", "--version"}, call, kBrief);
  try {
    return !result.ok() || parse_version(result.out).major >= kFirstMajor;
  } catch (const Error&) {
    return true;
  }
}

/// Returns whether the failed command says that there is no such job, or says nothing.
bool knows_no_job(const ProgramResult& result) {
  return engine_words(result.err).empty() || mentions(result, "Invalid job id") ||
         mentions(result, "No such job");
}

/// Removes the jobs of other apps, because some versions print more jobs than they were asked for.
/// Keeps jobs without an id, as TorchX does.
void keep_app(std::vector<QueueJob>& jobs, const JobId& id) {
  const auto is_other = [&](const QueueJob& job) {
    return job.id != 0 && job.app_id() != id.number && job.id != id.number;
  };
  jobs.erase(std::remove_if(jobs.begin(), jobs.end(), is_other), jobs.end());
}

/// Asks scontrol about the job. With `with_details`, its answer has the hosts of a running job and
/// the job's share of each.
std::vector<QueueJob> scontrol_jobs(const JobId& id, bool with_details, const Call& call) {
  StrList argv = {"scontrol", "--oneliner"};
  if (with_details) argv.push_back("--details");
  if (!id.cluster.empty()) argv.push_back("--clusters=" + id.cluster);
  argv.insert(argv.end(), {"show", "job", std::to_string(id.number)});
  const ProgramResult result = ask(argv, call);
  if (result.ok()) return parse_scontrol_lines(result.out);
  if (!knows_no_job(result)) throw command_error(argv, result, "cannot ask Slurm for the job");
  return {};
}

std::vector<QueueJob> squeue_jobs(const JobId& id, const Call& call) {
  constexpr bool kWithDetails = true;
  if (!has_json_of_one_job(call)) return scontrol_jobs(id, kWithDetails, call);
  const StrList argv = id.with_options({"squeue", "--json", "--states=all"});
  Patience patience;
  patience.is_outage = has_only_errors;
  const ProgramResult result = ask(argv, call, patience);
  if (result.ok()) return parse_squeue_json(result.out);
  if (lacks_json(result)) return scontrol_jobs(id, kWithDetails, call);
  if (!knows_no_job(result)) throw command_error(argv, result, "cannot ask Slurm for the job");
  return {};
}

/// Returns the option that selects this user's jobs, by name or, for a user without a name, by
/// number. [any thread]
const std::string& user_option() {
  static const std::string option = [] {
    passwd entry{};
    passwd* found = nullptr;
    std::array<char, 16384> texts;
    ::getpwuid_r(::geteuid(), &entry, texts.data(), texts.size(), &found);
    return "--user=" + (found != nullptr ? found->pw_name : std::to_string(::geteuid()));
  }();
  return option;
}

/// Returns the output of sacct. Returns nullopt if sacct fails or is not installed, because the
/// site then has no accounting. Throws Error kTemporary if sacct hangs or reports an outage.
std::optional<std::string> sacct_output(const StrList& argv, const Call& call) {
  // A short limit, because the caller has other sources.
  Patience patience;
  patience.limit = std::chrono::milliseconds(5000);
  patience.attempts = 1;
  try {
    ProgramResult result = ask(argv, call, patience);
    if (result.ok()) return std::move(result.out);
  } catch (const Error& error) {
    if (error.code() != Code::kPrecondition) throw;
  }
  return std::nullopt;
}

/// Returns this user's jobs that the controller knows, each task of an array by itself.
std::vector<QueueJob> own_queue(const Call& call) {
  const StrList argv = {"squeue",  "--noheader",  "--states=all",
                        "--array", user_option(), std::string("--format=") + kSqueueFormat};
  const ProgramResult result = ask(argv, call);
  if (!result.ok()) throw command_error(argv, result, "cannot ask Slurm for its jobs");
  return parse_squeue_lines(result.out);
}

/// Returns the jobs of the app. If there are none, asks accounting.
JobAnswer with_accounting(std::vector<QueueJob> jobs, const JobId& id, const Call& call) {
  JobAnswer out;
  out.jobs = std::move(jobs);
  keep_app(out.jobs, id);
  if (!out.jobs.empty()) return out;
  std::optional<std::string> text;
  try {
    text = sacct_output(
        id.with_options({"sacct", "--parsable2",
                         "--format=JobID,JobName,State,ExitCode,NodeList,Submit,Start,End,NTasks,"
                         "TotalCPU,MaxRSS,MaxRSSTask,Comment"}),
        call);
  } catch (const Error& error) {
    if (error.code() != Code::kTemporary) throw;
    out.problem = error.message();
  }
  if (!text) return out;
  out.jobs = parse_sacct_lines(*text);
  const bool answered = !out.jobs.empty();
  keep_app(out.jobs, id);
  out.others_only = answered && out.jobs.empty();
  return out;
}

/// Reads lines such as "12_3|RUNNING". Returns the words for states by the number of the job.
std::map<std::int64_t, std::set<std::string>> parse_states(std::string_view text) {
  std::map<std::int64_t, std::set<std::string>> out;
  for (std::string_view line : split_lines(text)) {
    line = trimmed(line);
    const std::size_t bar = line.find('|');
    if (bar == std::string_view::npos) continue;
    const std::string_view state = line.substr(bar + 1);
    if (const auto job = take_plain_number<std::int64_t>(line)) out[*job].emplace(state);
  }
  return out;
}

StrList states_query(const std::string& cluster, const std::set<std::int64_t>& jobs) {
  StrList out = {"squeue", "--noheader", "--states=all", "--format=%i|%T"};
  if (!cluster.empty()) out.push_back("--clusters=" + cluster);
  const bool is_one = jobs.size() == 1;
  out.push_back(is_one ? "--jobs=" + std::to_string(*jobs.begin()) : user_option());
  return out;
}

}  // namespace

JobStates query_states(const std::string& cluster, const std::set<std::int64_t>& jobs,
                       int cancel_fd) {
  constexpr std::chrono::milliseconds kLimit{20000};
  const StrList argv = states_query(cluster, jobs);
  // 0: no limit of the output. run_command() sets the environment.
  const ProgramResult result = run_command(argv, {kLimit, 0, cancel_fd, nullptr});
  if (result.end != ProgramResult::End::kExited)
    throw Error(Code::kTemporary, "squeue did not answer");
  if (!result.ok() && !knows_no_job(result))
    throw command_error(argv, result, "cannot ask Slurm for its jobs");
  const auto rows = parse_states(result.out);
  JobStates out;
  for (const std::int64_t job : jobs) {
    const auto words = rows.find(job);
    out[job] = words == rows.end() ? std::string() : joined(words->second, ",");
  }
  return out;
}

JobAnswer query_own_app(const JobId& id, const Call& call) {
  constexpr bool kWithDetails = false;
  return with_accounting(scontrol_jobs(id, kWithDetails, call), id, call);
}

JobAnswer query_any_app(const JobId& id, const Call& call) {
  return with_accounting(squeue_jobs(id, call), id, call);
}

void query_queue(JobLists& lists, const Call& call) {
  try {
    lists.asked_at_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                            std::chrono::system_clock::now().time_since_epoch())
                            .count();
    lists.queued = own_queue(call);
  } catch (const Error& error) {
    lists.queue_problem = error;
  }
  call.check();
}

void query_accounting(JobLists& lists, const Call& call) {
  try {
    const auto text =
        sacct_output({"sacct", "--parsable2", "--allocations", "--starttime=now-30days",
                      user_option(), "--format=JobIDRaw,JobID,JobName,State,Submit,Comment"},
                     call);
    if (text) lists.accounted = parse_sacct_lines(*text);
  } catch (const Error& error) {
    lists.accounting_problem = error.message();
  }
  call.check();
}

std::optional<QueueJob> query_mark(const std::string& mark, const Call& call) {
  for (QueueJob& job : own_queue(call)) {
    // Of the components of a heterogeneous job, takes the first one.
    if (mark_in(job.comment) == mark && (job.het_id == 0 || job.het_id == job.id))
      return std::move(job);
  }
  return std::nullopt;
}

}  // namespace slipway::slurm
