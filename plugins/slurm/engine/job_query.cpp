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
#include "plugins/slurm/state/job_state.hpp"
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
/// Also returns true if squeue does not report a version that this function can read.
bool has_json_of_one_job(const Call& call) {
  constexpr int kFirstMajor = 23;
  const ProgramResult result = ask({"squeue", "--version"}, call);
  try {
    return !result.ok() || parse_version(result.out).major >= kFirstMajor;
  } catch (const Error&) {
    return true;
  }
}

/// Returns whether the failed command says that there is no such job, or says nothing and was not
/// killed.
bool knows_no_job(const ProgramResult& result) {
  return (engine_words(result.err).empty() && !was_killed(result)) ||
         mentions(result, "Invalid job id") || mentions(result, "No such job");
}

/// Removes the jobs of other apps, because some versions print more jobs than they were asked for.
/// Keeps jobs without an id, as TorchX does.
void keep_app(std::vector<QueueJob>& jobs, const JobId& id) {
  const auto is_other = [&](const QueueJob& job) {
    return job.id != 0 && job.app_id() != id.number && job.id != id.number;
  };
  jobs.erase(std::remove_if(jobs.begin(), jobs.end(), is_other), jobs.end());
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

/// Whether a query is also about jobs that have ended. kLeftOut leaves out jobs whose base state is
/// an end, even where squeue prints only a flag such as STOPPED, so it shows which of the STOPPED
/// jobs have ended.
enum class Ended { kIncluded, kLeftOut };

/// Returns the command that prints the ids and states of jobs, such as "12_3|RUNNING": of one job
/// by its number, of several by the user's name.
StrList states_query(const std::string& cluster, const std::set<std::int64_t>& jobs, Ended ended) {
  StrList out = {"squeue", "--noheader", "--format=%i|%T"};
  if (ended == Ended::kIncluded) out.emplace_back("--states=all");
  if (!cluster.empty()) out.push_back("--clusters=" + cluster);
  const bool is_one = jobs.size() == 1;
  out.push_back(is_one ? "--jobs=" + std::to_string(*jobs.begin()) : user_option());
  return out;
}

/// Reads lines such as "12_3|RUNNING". Returns the states by the ids.
std::map<std::string, std::string> parse_states(std::string_view text) {
  std::map<std::string, std::string> out;
  for (std::string_view line : split_lines(text)) {
    line = trimmed(line);
    const std::size_t bar = line.find('|');
    if (bar != std::string_view::npos) out.emplace(line.substr(0, bar), line.substr(bar + 1));
  }
  return out;
}

/// Returns the id as squeue prints it: "12", "12_3" for a task of an array, "12+1" for a component.
std::string printed_id(const QueueJob& job) {
  if (job.het_id != 0) return std::to_string(job.het_id) + "+" + std::to_string(job.het_offset);
  if (!job.array_task) return std::to_string(job.id);
  return std::to_string(job.array_id) + "_" + std::to_string(*job.array_task);
}

/// Gives the jobs of one app that are STOPPED, but have ended, the state of their end.
void resolve_stopped_jobs(std::vector<QueueJob>& jobs, const JobId& id, const Call& call) {
  if (std::none_of(jobs.begin(), jobs.end(), is_stopped)) return;
  const StrList argv = states_query(id.cluster, {id.number}, Ended::kLeftOut);
  const ProgramResult result = ask(argv, call);
  if (!result.ok() && !knows_no_job(result))
    throw command_error(argv, result, "cannot ask Slurm for its jobs");
  const auto unended = parse_states(result.out);
  for (QueueJob& job : jobs) {
    if (is_stopped(job) && unended.count(printed_id(job)) == 0) job.states = {end_word(job)};
  }
}

/// Asks scontrol about the job. With `with_details`, its answer has the hosts of a running job and
/// the job's share of each.
std::vector<QueueJob> scontrol_jobs(const JobId& id, bool with_details, const Call& call) {
  StrList argv = {"scontrol", "--oneliner"};
  if (with_details) argv.push_back("--details");
  if (!id.cluster.empty()) argv.push_back("--clusters=" + id.cluster);
  argv.insert(argv.end(), {"show", "job", std::to_string(id.number)});
  const ProgramResult result = ask(argv, call);
  if (!result.ok() && !knows_no_job(result))
    throw command_error(argv, result, "cannot ask Slurm for the job");
  std::vector<QueueJob> out;
  if (result.ok()) out = parse_scontrol_lines(result.out);
  resolve_stopped_jobs(out, id, call);
  return out;
}

std::vector<QueueJob> squeue_jobs(const JobId& id, const Call& call) {
  constexpr bool kWithDetails = true;
  if (!has_json_of_one_job(call)) return scontrol_jobs(id, kWithDetails, call);
  const StrList argv = id.with_options({"squeue", "--json", "--states=all"});
  Patience patience;
  patience.is_outage = has_only_errors;
  const ProgramResult result = ask(argv, call, patience);
  if (result.ok()) {
    std::vector<QueueJob> out = parse_squeue_json(result.out);
    resolve_stopped_jobs(out, id, call);
    return out;
  }
  if (lacks_json(result)) return scontrol_jobs(id, kWithDetails, call);
  if (!knows_no_job(result)) throw command_error(argv, result, "cannot ask Slurm for the job");
  return {};
}

/// Returns the output of sacct. Returns nullopt if sacct is not installed or fails without naming
/// its database, because the site then has no accounting. Throws Error kTemporary if sacct hangs or
/// reports an outage.
std::optional<std::string> sacct_output(const StrList& argv, const Call& call) {
  // A short limit, because the caller has other sources.
  Patience patience;
  patience.limit = std::chrono::milliseconds(5000);
  patience.attempts = 1;
  try {
    ProgramResult result = ask(argv, call, patience);
    if (result.ok()) return std::move(result.out);
    for (const char* words : {"talking to the database", "PersistInit", "slurm_persist_conn",
                              "No route to host", "Unable to connect"}) {
      if (mentions(result, words))
        throw Error(Code::kTemporary, "sacct: " + std::string(engine_words(result.err)));
    }
  } catch (const Error& error) {
    if (error.code() != Code::kPrecondition) throw;
  }
  return std::nullopt;
}

/// Does the same as resolve_stopped_jobs() for jobs of several apps as `squeue` lists them: these
/// lack the reason and the exit code that end_word() needs. Takes the states from scontrol.
void resolve_listed_jobs(std::vector<QueueJob>& jobs, const Call& call) {
  constexpr bool kWithDetails = false;
  std::map<std::int64_t, std::vector<QueueJob>> shown;  // by the app's number
  for (QueueJob& job : jobs) {
    if (!is_stopped(job)) continue;
    const auto [app, is_new] = shown.try_emplace(job.app_id());
    if (is_new) app->second = scontrol_jobs({job.app_id(), {}}, kWithDetails, call);
    for (const QueueJob& one : app->second) {
      if (printed_id(one) == printed_id(job)) job.states = one.states;
    }
  }
}

/// Returns squeue's lines about this user's jobs, each task of an array by itself. `option` is a
/// further option of squeue; empty: none.
std::string own_lines(const std::string& option, const Call& call) {
  StrList argv = {"squeue", "--states=all", "--array", user_option(),
                  std::string("--format=") + kSqueueFormat};
  if (!option.empty()) argv.insert(argv.begin() + 1, option);
  ProgramResult result = ask(argv, call);
  if (!result.ok()) throw command_error(argv, result, "cannot ask Slurm for its jobs");
  return std::move(result.out);
}

/// Returns this user's jobs that the controller knows, each task of an array by itself.
std::vector<QueueJob> own_queue(const Call& call) {
  std::vector<QueueJob> out = parse_squeue_lines(own_lines("--noheader", call));
  resolve_listed_jobs(out, call);
  return out;
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
        id.with_options({"sacct", "--parsable2", kSacctDelimiter,
                         "--format=JobID,State,ExitCode,NodeList,Submit,Start,End,NTasks,TotalCPU,"
                         "MaxRSS,MaxRSSTask,JobName,Comment"}),
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

/// Runs states_query() once. Throws as query_states() does.
std::map<std::string, std::string> query_states_once(const std::string& cluster,
                                                     const std::set<std::int64_t>& jobs,
                                                     Ended ended, int cancel_fd) {
  constexpr std::chrono::milliseconds kLimit{20000};
  const StrList argv = states_query(cluster, jobs, ended);
  // 0: no limit of the output. run_command() sets the environment.
  const ProgramResult result = run_command(argv, {kLimit, 0, cancel_fd, nullptr});
  if (result.end != ProgramResult::End::kExited)
    throw Error(Code::kTemporary, "squeue did not answer");
  if (!result.ok() && !knows_no_job(result))
    throw command_error(argv, result, "cannot ask Slurm for its jobs");
  return parse_states(result.out);
}

}  // namespace

JobStates query_states(const std::string& cluster, const std::set<std::int64_t>& jobs,
                       int cancel_fd) {
  auto rows = query_states_once(cluster, jobs, Ended::kIncluded, cancel_fd);
  const auto is_stopped_row = [](const auto& row) { return row.second == kStoppedFlag; };
  if (std::any_of(rows.begin(), rows.end(), is_stopped_row)) {
    const auto unended = query_states_once(cluster, jobs, Ended::kLeftOut, cancel_fd);
    std::erase_if(rows, [&](const auto& row) {
      return is_stopped_row(row) && unended.count(row.first) == 0;
    });
  }
  std::map<std::int64_t, std::set<std::string>> words;
  for (const auto& [id, state] : rows) {
    std::string_view rest = id;
    if (const auto job = take_plain_number<std::int64_t>(rest)) words[*job].insert(state);
  }
  JobStates out;
  for (const std::int64_t job : jobs) {
    const auto found = words.find(job);
    out[job] = found == words.end() ? std::string() : joined(found->second, ",");
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
    const auto text = sacct_output(
        {"sacct", "--parsable2", kSacctDelimiter, "--allocations", "--starttime=now-30days",
         user_option(), "--format=JobIDRaw,JobID,State,Submit,JobName,Comment"},
        call);
    if (text) lists.accounted = parse_sacct_lines(*text);
  } catch (const Error& error) {
    lists.accounting_problem = error.message();
  }
  call.check();
}

std::optional<std::string> query_mark(const std::string& mark, const std::string& clusters,
                                      const Call& call) {
  // Without --noheader, every version prints a line with a cluster's name before its jobs.
  constexpr std::string_view kHeading = "CLUSTER: ";
  const std::string lines = own_lines(clusters.empty() ? "" : "--clusters=" + clusters, call);
  std::string cluster;
  for (const std::string_view line : split_lines(lines)) {
    if (line.starts_with(kHeading))
      cluster = ";" + std::string(trimmed(line.substr(kHeading.size())));
    for (const QueueJob& job : parse_squeue_lines(line)) {
      if (mark_in(job.comment) == mark) return std::to_string(job.app_id()) + cluster;
    }
  }
  return std::nullopt;
}

}  // namespace slipway::slurm
