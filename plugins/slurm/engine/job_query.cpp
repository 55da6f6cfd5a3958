#include "plugins/slurm/engine/job_query.hpp"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <future>

#include "plugins/slurm/engine/slurm_command.hpp"
#include "plugins/slurm/script/job_plan.hpp"
#include "plugins/slurm/state/job_lines.hpp"
#include "plugins/slurm/state/squeue_json.hpp"
#include "slipway/lines.hpp"

namespace slipway::slurm {

namespace {

bool mentions(const ProgramResult& result, std::string_view text) {
  return result.err.find(text) != std::string::npos;
}

/// True for a squeue before 21.08, or one that was built without JSON.
bool lacks_json(const ProgramResult& result) {
  return mentions(result, "unrecognized option") || mentions(result, "invalid option") ||
         mentions(result, "serializer") || mentions(result, "data_parser") ||
         mentions(result, "openapi");
}

/// Whether the command says no more than that there is no such job.
bool knows_no_job(const ProgramResult& result) {
  return engine_words(result.err).empty() || mentions(result, "Invalid job id") ||
         mentions(result, "No such job");
}

/// Old versions report all jobs, whichever was asked for.
void keep_app(std::vector<QueueJob>& jobs, const JobId& id) {
  const auto is_other = [&](const QueueJob& job) {
    return job.id != 0 && job.app_id() != id.number && job.id != id.number;
  };
  jobs.erase(std::remove_if(jobs.begin(), jobs.end(), is_other), jobs.end());
}

std::vector<QueueJob> scontrol_jobs(const JobId& id, const Call& call) {
  StrList argv = {"scontrol", "--oneliner"};
  if (!id.cluster.empty()) argv.push_back("--clusters=" + id.cluster);
  argv.insert(argv.end(), {"show", "job", std::to_string(id.number)});
  const ProgramResult result = ask(argv, call);
  if (result.ok()) return parse_scontrol_lines(result.out);
  if (!knows_no_job(result)) throw command_error(argv, result, "cannot ask Slurm for the job");
  return {};
}

std::vector<QueueJob> squeue_jobs(const JobId& id, const Call& call) {
  const StrList argv = id.asking({"squeue", "--json", "--states=all"});
  const ProgramResult result = ask(argv, call);
  if (result.ok()) return parse_squeue_json(result.out);
  if (lacks_json(result)) return scontrol_jobs(id, call);
  if (!knows_no_job(result)) throw command_error(argv, result, "cannot ask Slurm for the job");
  return {};
}

std::string user_name() {
  const passwd* entry = ::getpwuid(::geteuid());
  return entry != nullptr ? entry->pw_name : std::string();
}

/// Keeps this user's jobs, and those that name no user.
std::vector<QueueJob> own(std::vector<QueueJob> jobs) {
  const std::string user = user_name();
  jobs.erase(
      std::remove_if(jobs.begin(), jobs.end(),
                     [&](const QueueJob& job) { return !job.user.empty() && job.user != user; }),
      jobs.end());
  return jobs;
}

/// What accounting says, or nothing where there is none: sacct fails, or is not installed.
std::optional<std::string> accounted(const StrList& argv, const Call& call) {
  // One that hangs must not make the caller wait long: the other sources have answered.
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

/// All rows of this user's jobs, each task of an array with its own.
std::vector<QueueJob> own_queue(const Call& call) {
  StrList argv = {"squeue", "--noheader", "--states=all", "--array",
                  std::string("--format=") + kSqueueFormat};
  if (const std::string user = user_name(); !user.empty()) argv.push_back("--user=" + user);
  const ProgramResult result = ask(argv, call);
  if (!result.ok()) throw command_error(argv, result, "cannot ask Slurm for its jobs");
  return own(parse_squeue_lines(result.out));
}

JobAnswer with_accounting(std::vector<QueueJob> jobs, const JobId& id, const Call& call) {
  JobAnswer out;
  out.jobs = std::move(jobs);
  keep_app(out.jobs, id);
  if (!out.jobs.empty()) return out;
  std::optional<std::string> text;
  try {
    text = accounted(
        id.asking({"sacct", "--parsable2", "--allocations",
                   "--format=JobID,JobName,State,ExitCode,NodeList,Submit,Start,End,Comment"}),
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

/// The words of states by job, from lines such as "12_3|RUNNING".
std::map<std::int64_t, std::set<std::string>> parse_states(std::string_view text) {
  std::map<std::int64_t, std::set<std::string>> out;
  for (std::string_view line : split_lines(text)) {
    line = line.substr(0, line.find_last_not_of(" \r\n") + 1);
    std::int64_t job = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), job);
    const std::size_t bar = line.find('|');
    if (error == std::errc() && bar != std::string_view::npos)
      out[job].emplace(line.substr(bar + 1));
  }
  return out;
}

StrList states_question(const std::string& cluster, const std::set<std::int64_t>& jobs) {
  StrList out = {"squeue", "--noheader", "--states=all", "--format=%i|%T"};
  if (!cluster.empty()) out.push_back("--clusters=" + cluster);
  const std::string user = user_name();
  if (jobs.size() > 1 && !user.empty()) {
    out.push_back("--user=" + user);
    return out;
  }
  std::string list;
  for (const std::int64_t job : jobs) list += (list.empty() ? "" : ",") + std::to_string(job);
  out.push_back("--jobs=" + list);
  return out;
}

}  // namespace

JobStates query_states(const std::string& cluster, const std::set<std::int64_t>& jobs,
                       int cancel_fd) {
  constexpr std::chrono::milliseconds kLimit{20000};
  const StrList argv = states_question(cluster, jobs);
  const ProgramResult result = run_command(argv, {kLimit, 0, cancel_fd, nullptr});
  if (result.end != ProgramResult::End::kExited)
    throw Error(Code::kTemporary, "squeue did not answer");
  if (!result.ok() && !knows_no_job(result))
    throw command_error(argv, result, "cannot ask Slurm for its jobs");
  const auto rows = parse_states(result.out);
  JobStates out;
  for (const std::int64_t job : jobs) {
    std::string& states = out[job];
    const auto words = rows.find(job);
    if (words == rows.end()) continue;
    for (const std::string& word : words->second)
      states.append(states.empty() ? "" : ",").append(word);
  }
  return out;
}

JobAnswer query_own_app(const JobId& id, const Call& call) {
  return with_accounting(scontrol_jobs(id, call), id, call);
}

JobAnswer query_any_app(const JobId& id, const Call& call) {
  return with_accounting(squeue_jobs(id, call), id, call);
}

JobLists query_jobs(const Call& call) {
  JobLists out;
  auto accounting = std::async(std::launch::async, [&call, &out] {
    try {
      if (const auto text =
              accounted({"sacct", "--json", "--allocations", "--starttime=now-30days"}, call)) {
        out.accounted = own(parse_sacct_json(*text));
      }
    } catch (const Error& error) {
      out.accounting_problem = error.message();
    }
  });
  try {
    out.queued = own_queue(call);
  } catch (const Error& error) {
    out.queue_problem = error;
  }
  accounting.get();
  call.check();
  return out;
}

std::optional<QueueJob> query_mark(const std::string& mark, const Call& call) {
  for (QueueJob& job : own_queue(call)) {
    if (mark_in(job.comment) == mark && (job.het_id == 0 || job.het_id == job.id))
      return std::move(job);
  }
  return std::nullopt;
}

}  // namespace slipway::slurm
