#include "plugins/slurm/scheduler/app_lookup.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <vector>

#include "plugins/slurm/engine/job_query.hpp"
#include "plugins/slurm/engine/submission.hpp"
#include "plugins/slurm/script/job_plan.hpp"
#include "plugins/slurm/state/app_description.hpp"
#include "plugins/slurm/state/job_state.hpp"
#include "plugins/slurm/state/replica_record.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::slurm {

namespace {

/// Returns the present time in seconds since the epoch, with nine decimals.
std::string seconds_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(now);
  const std::string rest = std::to_string(std::chrono::nanoseconds(now - whole).count());
  return std::to_string(whole.count()) + "." + std::string(9 - rest.size(), '0') + rest;
}

/// Describes an app by its record alone, because the queue does not know its job. `problem` says
/// why accounting did not answer; empty if accounting does not know the job either.
Description describe_by_record(const JobRecord& record, const std::string& problem,
                               const OnSilentSource& on_silent_source) {
  Description out = describe_app(record, {});
  if (problem.empty()) return out;
  // UNKNOWN would end the wait of a caller, although accounting may know the state.
  if (out.state == AppState::kUnknown) throw Error(Code::kTemporary, problem, "ask again later");
  if (on_silent_source) on_silent_source(problem);
  return out;
}

/// Removes the jobs that accounting calls unfinished although they left their results: it never got
/// their ends, which Slurm calls a runaway job. The queue does not know jobs of accounting.
void drop_unfinished_with_result(const JobRecord& record, std::vector<QueueJob>& jobs) {
  std::erase_if(jobs, [&](const QueueJob& job) {
    const bool is_accounted = !job.state_text.empty();
    return is_accounted && !is_terminal(state_with_flags(job.states)) &&
           read_result(record.record_dir, job.array_task);
  });
}

/// Describes the job with this number. `record` may belong to an older job with the same number,
/// because each cluster counts from 1, and again after a new installation. If Slurm kept the job's
/// comment, the mark in it decides.
std::optional<Description> describe_job(const std::string& state_root, const std::string& app_id,
                                        const JobId& id, const JobRecord& record, const Call& call,
                                        const OnSilentSource& on_silent_source) {
  JobAnswer answer = query_own_app(id, call);
  if (answer.jobs.empty()) return describe_by_record(record, answer.problem, on_silent_source);
  const QueueJob& first = answer.jobs.front();
  const std::string mark = mark_in(first.comment);
  const bool is_accounted = !first.state_text.empty();  // most sites' accounting keeps no comments
  if (is_job_of(record.mark, record.record_dir, first) || (mark.empty() && is_accounted)) {
    drop_unfinished_with_result(record, answer.jobs);
    return describe_app(record, answer.jobs);
  }
  if (const auto other = record_of_mark(state_root, mark)) return describe_app(*other, answer.jobs);
  return describe_jobs(app_id, query_any_app(id, call).jobs);
}

}  // namespace

void resolve_record(const std::string& state_root, JobRecord& record, const std::string& app_id,
                    const Call& call) {
  constexpr bool kNow = false;
  constexpr bool kKeepsDraftName = true;
  if (read_cancellation(record.record_dir)) cancel_job(app_id, kNow, call);
  record.app_id = app_id;
  write_record(state_root, record, kKeepsDraftName);
}

std::optional<JobRecord> resolved_record(const std::string& state_root, const std::string& app_id,
                                         const Call& call) {
  auto record = record_of_id(state_root, app_id);
  if (!record || !record->app_id.empty()) return record;
  std::string id = read_job_id(record->record_dir);
  if (!parse_job_id(id)) {
    const auto found = query_mark(record->mark, record->clusters, call);
    if (!found) return record;
    id = *found;
  }
  if (record->other_owner) {  // root may read the record, but not write into it
    record->app_id = id;
  } else {
    resolve_record(state_root, *record, id, call);
  }
  return record;
}

namespace {

/// Cancels a job whose id is known. Notes the cancellation in the job's record before, so that the
/// batch script does not requeue the job if its replicas fail at this moment. If scancel fails,
/// removes the note, but not that of an earlier call, whose scancel may have succeeded.
void cancel_known_job(const std::optional<JobRecord>& record, const std::string& app_id, bool now,
                      const Call& call) {
  if (!record || record->other_owner) return cancel_job(app_id, now, call);
  const std::string note = record->record_dir + "/cancelling";
  const OwnedFd created(::open(note.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  try {
    write_file(note, "since=" + seconds_now() + "\n");
    cancel_job(app_id, now, call);
  } catch (...) {
    if (created) ::unlink(note.c_str());
    throw;
  }
}

}  // namespace

void cancel_app(const std::string& state_root, const std::string& app_id, bool now,
                const Call& call) {
  auto record = record_of_id(state_root, app_id);
  if (parse_job_id(app_id)) return cancel_known_job(record, app_id, now, call);
  if (!record) return;
  if (!record->app_id.empty()) return cancel_known_job(record, record->app_id, now, call);
  // The note comes before the search: a job that starts from now on reads the note, and the search
  // finds a job that has started before.
  write_file(record->record_dir + "/cancelled", "cancelled=" + seconds_now() + "\n");
  record = resolved_record(state_root, app_id, call);
  if (record && !record->app_id.empty()) cancel_job(record->app_id, now, call);
}

std::optional<Description> look_up(const std::string& state_root, const std::string& app_id,
                                   const Call& call, const OnSilentSource& on_silent_source) {
  const auto record = resolved_record(state_root, app_id, call);
  const auto id = parse_job_id(record && !record->app_id.empty() ? record->app_id : app_id);
  if (record && id) return describe_job(state_root, app_id, *id, *record, call, on_silent_source);
  if (record) return describe_app(*record, {});
  if (!id) return std::nullopt;
  const JobAnswer answer = query_any_app(*id, call);
  if (answer.jobs.empty()) {
    if (!answer.problem.empty()) throw Error(Code::kTemporary, answer.problem);
    return answer.others_only ? std::optional<Description>(describe_jobs(app_id, {}))
                              : std::nullopt;
  }
  const std::string mark = mark_in(answer.jobs.front().comment);
  if (is_forgotten(state_root, app_id, mark)) return std::nullopt;
  if (const auto other = record_of_mark(state_root, mark)) return describe_app(*other, answer.jobs);
  return describe_jobs(app_id, answer.jobs);
}

}  // namespace slipway::slurm
