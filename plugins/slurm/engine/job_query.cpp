#include "plugins/slurm/engine/job_query.hpp"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>

#include "plugins/slurm/engine/slurm_command.hpp"
#include "plugins/slurm/script/job_plan.hpp"
#include "plugins/slurm/state/job_lines.hpp"
#include "plugins/slurm/state/squeue_json.hpp"

namespace slipway::slurm {

namespace {

bool mentions(const ProgramResult& result, std::string_view text) {
  return result.err.find(text) != std::string::npos;
}

/// A squeue before 21.08, or one that was built without JSON.
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

/// Old versions tell all jobs, whichever was asked for.
void keep_app(std::vector<QueueJob>& jobs, const JobId& id) {
  const auto is_other = [&](const QueueJob& job) {
    return job.id != 0 && job.app_id() != id.number && job.id != id.number;
  };
  jobs.erase(std::remove_if(jobs.begin(), jobs.end(), is_other), jobs.end());
}

std::vector<QueueJob> queued(const JobId& id, const Call& call) {
  const StrList argv = id.asking({"squeue", "--json", "--states=all"});
  ProgramResult result = ask(argv, call);
  if (result.ok()) return parse_squeue_json(result.out);
  if (lacks_json(result)) {
    StrList lines = {"scontrol", "--oneliner"};
    if (!id.cluster.empty()) lines.push_back("--clusters=" + id.cluster);
    lines.insert(lines.end(), {"show", "job", std::to_string(id.number)});
    result = ask(lines, call);
    if (result.ok()) return parse_scontrol_lines(result.out);
  }
  if (!knows_no_job(result)) throw command_error(argv, result, "cannot ask Slurm for the job");
  return {};
}

std::string user_name() {
  const passwd* entry = ::getpwuid(::geteuid());
  return entry != nullptr ? entry->pw_name : std::string();
}

/// Of this user; where no user is told, all.
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
  try {
    ProgramResult result = ask(argv, call);
    if (result.ok()) return std::move(result.out);
  } catch (const Error& error) {
    if (error.code() != Code::kPrecondition) throw;
  }
  return std::nullopt;
}

std::vector<QueueJob> whole_queue(const Call& call) {
  const StrList argv = {"squeue", "--json", "--states=all"};
  ProgramResult result = ask(argv, call);
  if (result.ok()) return parse_squeue_json(result.out);
  if (lacks_json(result)) {
    result = ask({"squeue", "--noheader", "--states=all", "--array",
                  std::string("--format=") + kSqueueFormat},
                 call);
    if (result.ok()) return parse_squeue_lines(result.out);
  }
  throw command_error(argv, result, "cannot ask Slurm for its jobs");
}

}  // namespace

JobAnswer query_app(const JobId& id, const Call& call) {
  JobAnswer out;
  out.jobs = queued(id, call);
  keep_app(out.jobs, id);
  if (!out.jobs.empty()) return out;

  const auto text = accounted(
      id.asking({"sacct", "--parsable2", "--allocations",
                 "--format=JobID,JobName,State,ExitCode,NodeList,Submit,Start,End,Comment"}),
      call);
  if (!text) return out;
  out.jobs = parse_sacct_lines(*text);
  const bool answered = !out.jobs.empty();
  keep_app(out.jobs, id);
  out.others_only = answered && out.jobs.empty();
  return out;
}

std::vector<QueueJob> query_jobs(const Call& call) {
  if (const auto text =
          accounted({"sacct", "--json", "--allocations", "--starttime=now-30days"}, call)) {
    return own(parse_sacct_json(*text));
  }
  return own(whole_queue(call));
}

std::optional<QueueJob> query_mark(const std::string& mark, const Call& call) {
  for (QueueJob& job : whole_queue(call)) {
    if (mark_in(job.comment) == mark && (job.het_id == 0 || job.het_id == job.id))
      return std::move(job);
  }
  return std::nullopt;
}

}  // namespace slipway::slurm
