#include "plugins/slurm/state/app_description.hpp"

#include <algorithm>

#include "plugins/slurm/state/array_jobs.hpp"
#include "plugins/slurm/state/job_state.hpp"
#include "plugins/slurm/state/replica_record.hpp"

namespace slipway::slurm {

namespace {

constexpr std::int32_t kSignalBase = 128;
constexpr std::int32_t kLastSignal = 64;
constexpr std::int64_t kSecond = 1'000'000'000;

/// Slurm's times are whole seconds, those that Slipway and the replicas write down are not: what Slurm tells of the
/// second in which `earlier` was did not happen before it. A clock that is off by more is told as it is.
TimeNs not_before(TimeNs earlier, TimeNs time) {
  const bool is_same_second = earlier && time && *time < *earlier && *earlier - *time < kSecond;
  return is_same_second ? earlier : time;
}

/// What one replica's job says; nothing: Slurm has forgotten it.
struct JobView {
  AppState state = AppState::kUnknown;
  std::string_view end_reason;
  std::int32_t restarts = 0;
  std::string nodes;
  TimeNs finished_at;
};

JobView view_of(const QueueJob* job, const std::optional<JobResult>& result) {
  JobView out;
  if (job != nullptr) {
    out.state = settled_state(job->states);
    out.end_reason = end_reason(job->states);
    out.restarts = job->restarts.value_or(0);
    out.nodes = job->nodes;
    if (is_terminal(out.state)) out.finished_at = job->finished_at;
  } else if (result) {
    out.state = result->code == 0 ? AppState::kSucceeded : AppState::kFailed;
    out.finished_at = result->ended_at;
  }
  return out;
}

/// How a replica ended by its shell's word.
void read_code(std::int32_t code, const JobView& job, ReplicaStatus& out) {
  const std::int32_t signal = code - kSignalBase;
  if (signal > 0 && signal <= kLastSignal) {
    out.signal = signal;
    out.reason = "signal";
  } else {
    out.exit_code = code;
    out.reason = "exit";
  }
  out.state = code == 0 ? AppState::kSucceeded : AppState::kFailed;
  if (code == 0) return;
  if (job.state == AppState::kCancelled) {
    out.state = AppState::kCancelled;
    out.reason = "cancelled";
  } else if (job.end_reason == "timeout" || job.end_reason == "oom") {
    out.reason = job.end_reason;
  }
}

/// A replica that left no end: the job's tells.
void read_job_end(const JobView& job, ReplicaStatus& out) {
  out.state = job.state;
  out.finished_at = job.finished_at;
  if (job.state == AppState::kSucceeded) {
    out.exit_code = 0;
    out.reason = "exit";
  } else if (job.state == AppState::kFailed) {
    out.reason = job.end_reason.empty() ? "lost" : std::string(job.end_reason);
  } else if (job.state == AppState::kCancelled) {
    out.reason = "cancelled";
  }
}

ReplicaStatus replica_status(const JobRecord& record, const std::string& role, std::int32_t id,
                             const JobView& job) {
  ReplicaStatus out;
  out.id = id;
  out.restarts = job.restarts;
  const auto left = read_replica(record.record_dir, role, id);
  const bool is_current = left && (left->attempt >= job.restarts || is_terminal(job.state));
  if (is_current) {
    out.hostname = left->node;
    out.pid = left->pid;
    out.started_at = left->started_at;
    out.finished_at = left->ended_at;
    out.restarts = std::max(out.restarts, left->attempt);
  } else if (job.nodes.find_first_of("[,") == std::string::npos) {
    out.hostname = job.nodes;
  }
  if (is_current && left->code) {
    read_code(*left->code, job, out);
  } else if (is_terminal(job.state)) {
    read_job_end(job, out);
  } else if (job.state == AppState::kRunning) {
    const bool runs = is_current || record.shape == Shape::kArray;
    out.state = runs ? AppState::kRunning : AppState::kPending;
  } else {
    out.state = job.state;
  }
  out.finished_at = not_before(out.started_at, out.finished_at);
  return out;
}

/// Of an elastic role only those that there were nodes for have started.
std::int32_t replicas_of(const JobRecord& record, const Role& role, AppState state) {
  const bool is_elastic =
      record.shape == Shape::kRoles && role.min_replicas && *role.min_replicas < role.num_replicas;
  if (!is_elastic || !is_started(state)) return role.num_replicas;
  std::int32_t count = *role.min_replicas;
  while (count < role.num_replicas && read_replica(record.record_dir, role.name, count)) ++count;
  return count;
}

Description own_frame(const JobRecord& record) {
  Description out;
  out.app_id = record.app_id;
  out.name = record.app.name;
  out.submitted_at = record.submitted_at_ns;
  out.app = record.app;
  return out;
}

const char* forgotten_text(const std::optional<JobResult>& result) {
  return result ? "Slurm has forgotten the job; this is what it left in its record"
                : "Slurm has forgotten the job and it left no result: it may have been cancelled, "
                  "or its node may have failed";
}

Description describe_array(const JobRecord& record, const std::vector<QueueJob>& jobs) {
  Description out = own_frame(record);
  const Role& role = record.app.roles.front();
  const ArrayJobs array(jobs);
  RoleStatus status{role.name, {}};
  for (std::int32_t id = 0; id < role.num_replicas; ++id) {
    const QueueJob* job = array.task(id);
    const JobView view =
        view_of(job, job == nullptr ? read_result(record.record_dir, id) : std::nullopt);
    status.replicas.push_back(replica_status(record, role.name, id, view));
    out.num_restarts += status.replicas.back().restarts;
  }
  out.state = array_state(status.replicas);
  if (out.state == AppState::kUnknown && jobs.empty()) out.msg = forgotten_text(std::nullopt);
  if (!is_started(out.state) && !jobs.empty()) out.msg = reason_text(jobs.front().reason);
  out.roles.push_back(std::move(status));
  return out;
}

}  // namespace

Description describe_app(const JobRecord& record, const std::vector<QueueJob>& jobs) {
  if (record.shape == Shape::kArray) return describe_array(record, jobs);
  Description out = own_frame(record);
  const auto leader = std::min_element(
      jobs.begin(), jobs.end(),
      [](const QueueJob& a, const QueueJob& b) { return a.het_offset < b.het_offset; });
  const QueueJob* job = leader != jobs.end() ? &*leader : nullptr;
  const auto result = job == nullptr ? read_result(record.record_dir, std::nullopt) : std::nullopt;
  const JobView view = view_of(job, result);
  out.state = view.state;
  out.num_restarts = view.restarts;
  if (job == nullptr) {
    out.msg = forgotten_text(result);
  } else {
    out.msg = reason_text(job->reason);
    if (is_started(out.state)) out.started_at = not_before(out.submitted_at, job->started_at);
  }
  out.finished_at =
      not_before(out.started_at ? out.started_at : out.submitted_at, view.finished_at);
  for (const Role& role : record.app.roles) {
    RoleStatus status{role.name, {}};
    const std::int32_t count = replicas_of(record, role, out.state);
    for (std::int32_t id = 0; id < count; ++id) {
      status.replicas.push_back(replica_status(record, role.name, id, view));
      // Accounting does not tell how often a job was requeued, its replicas do.
      out.num_restarts = std::max(out.num_restarts, status.replicas.back().restarts);
    }
    out.roles.push_back(std::move(status));
  }
  return out;
}

}  // namespace slipway::slurm
