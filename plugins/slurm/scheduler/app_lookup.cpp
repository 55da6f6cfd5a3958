#include "plugins/slurm/scheduler/app_lookup.hpp"

#include "plugins/slurm/engine/job_query.hpp"
#include "plugins/slurm/script/job_plan.hpp"
#include "plugins/slurm/state/app_description.hpp"

namespace slipway::slurm {

namespace {

/// Describes an app whose job the queue does not know by its record alone. `problem` is the reason
/// why accounting did not answer; empty if it answered that it does not know the job.
Description describe_by_record(const JobRecord& record, const std::string& problem,
                               const OnSilentSource& on_silent_source) {
  Description out = describe_app(record, {});
  if (problem.empty()) return out;
  // UNKNOWN ends the wait of a caller, but accounting may know the state.
  if (out.state == AppState::kUnknown) throw Error(Code::kTemporary, problem, "ask again later");
  if (on_silent_source) on_silent_source(problem);
  return out;
}

/// Describes the job of this number. `record` may be that of an older job with the same number:
/// each cluster counts from 1, also after a new installation. If Slurm kept the job's comment, its
/// mark decides.
std::optional<Description> describe_known(const std::string& state_root, const std::string& app_id,
                                          const JobId& id, const JobRecord& record,
                                          const Call& call,
                                          const OnSilentSource& on_silent_source) {
  JobAnswer answer = query_own_app(id, call);
  if (answer.jobs.empty()) return describe_by_record(record, answer.problem, on_silent_source);
  const QueueJob& first = answer.jobs.front();
  const std::string mark = mark_in(first.comment);
  const bool is_accounted = !first.state_text.empty();
  if (mark == record.mark || (mark.empty() && is_accounted))
    return describe_app(record, answer.jobs);
  if (const auto other = record_of_mark(state_root, mark)) return describe_app(*other, answer.jobs);
  return describe_jobs(app_id, query_any_app(id, call).jobs);
}

}  // namespace

std::optional<JobRecord> resolved_record(const std::string& state_root, const std::string& app_id,
                                         const Call& call) {
  auto record = record_of_id(state_root, app_id);
  if (!record || !record->app_id.empty()) return record;
  if (const auto job = query_mark(record->mark, call)) {
    record->app_id = std::to_string(job->app_id());
    write_record(state_root, *record, true);
  }
  return record;
}

std::string job_of_app(const std::string& state_root, const std::string& app_id, const Call& call) {
  if (parse_job_id(app_id)) return app_id;
  const auto record = resolved_record(state_root, app_id, call);
  return record ? record->app_id : std::string();
}

std::optional<Description> look_up(const std::string& state_root, const std::string& app_id,
                                   const Call& call, const OnSilentSource& on_silent_source) {
  const auto record = resolved_record(state_root, app_id, call);
  const auto id = parse_job_id(record && !record->app_id.empty() ? record->app_id : app_id);
  if (record && id) return describe_known(state_root, app_id, *id, *record, call, on_silent_source);
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
