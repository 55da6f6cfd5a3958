#include "plugins/slurm/state/app_description.hpp"

#include <algorithm>
#include <chrono>

#include "plugins/slurm/script/resource_options.hpp"
#include "plugins/slurm/state/array_jobs.hpp"
#include "plugins/slurm/state/job_state.hpp"
#include "plugins/slurm/state/replica_record.hpp"
#include "sdk/support/service_role.hpp"
#include "slipway/signals.hpp"

namespace slipway::slurm {

namespace {

constexpr std::int32_t kSignalBase = 128;

/// Returns `time`, but `earlier` if `time` is less than a second before it. Slurm's times are whole
/// seconds, whereas those of Slipway and of replicas are exact. Keeps a larger difference, which
/// shows that clocks differ.
TimeNs not_before(TimeNs earlier, TimeNs time) {
  const bool is_same_second = earlier && time && *time < *earlier && *earlier - *time < kSecondNs;
  return is_same_second ? earlier : time;
}

/// What Slurm, or the result in the record, says about the job of a replica.
struct JobView {
  AppState state = AppState::kUnknown;
  std::string_view end_reason;
  std::int32_t restarts = 0;
  std::string nodes;
  TimeNs finished_at;
  bool has_own_result = false;  ///< the state is the result that the replica's array task left
  StepUse step;                 ///< what the replica's component used
};

/// Returns what the first of the arguments that is known says.
JobView view_of(const QueueJob* job, const std::optional<JobResult>& result, TimeNs cancelled_at) {
  JobView out;
  if (job != nullptr) {
    out.state = state_with_flags(job->states);
    out.end_reason = end_reason(job->states);
    out.restarts = job->restarts.value_or(0);
    out.nodes = job->nodes;
    out.step = job->step;
    if (is_terminal(out.state)) out.finished_at = job->finished_at;
  } else if (result) {
    out.state = result->code == 0 ? AppState::kSucceeded : AppState::kFailed;
    out.finished_at = result->ended_at;
  } else if (cancelled_at) {
    out.state = AppState::kCancelled;
    out.finished_at = cancelled_at;
  }
  return out;
}

/// The time that Slurm gives the replicas of a job to end after a cancellation or at the time
/// limit: longer than the KillWait of nearly all clusters (30 s by default).
constexpr std::int64_t kStopping = 120'000'000'000;

/// Returns whether the replica ended so long before its job that the job's end is not the cause.
bool ended_by_itself(const JobView& job, const ReplicaStatus& replica) {
  return replica.finished_at && job.finished_at &&
         *replica.finished_at + kStopping < *job.finished_at;
}

/// Sets how a replica ended, from its shell's exit status.
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
  if (code == 0 || (job.end_reason != "oom" && ended_by_itself(job, out))) return;
  if (job.state == AppState::kCancelled) {
    out.state = AppState::kCancelled;
    out.reason = "cancelled";
  } else if (job.end_reason == "timeout" || job.end_reason == "oom") {
    out.reason = job.end_reason;
  }
}

/// Sets how a replica ended that has recorded no end, from the end of its job. A replica that never
/// started has not succeeded, even if the job has.
void read_job_end(const JobView& job, bool has_started, ReplicaStatus& out) {
  out.state = job.state;
  out.finished_at = job.finished_at;
  if (job.state == AppState::kSucceeded && !has_started) {
    out.state = AppState::kFailed;
    out.reason = "lost";
  } else if (job.state == AppState::kSucceeded) {
    out.exit_code = 0;
    out.reason = "exit";
  } else if (job.state == AppState::kFailed) {
    out.reason = job.end_reason.empty() ? "lost" : std::string(job.end_reason);
  } else if (job.state == AppState::kCancelled) {
    out.reason = "cancelled";
  }
}

/// Returns what an ended replica used. Its shell records the CPU time, even if the site has no
/// accounting. Only accounting has its memory, and the use of a replica whose shell was killed.
ResourceUse use_of(const ReplicaRecord* attempt, const JobRecord& record, const StepUse& step,
                   std::int32_t id) {
  ResourceUse out = step.of_task(record.shape == Shape::kRoles ? id : 0);
  if (attempt != nullptr && attempt->cpu_time_ns > 0) out.cpu_time_ns = attempt->cpu_time_ns;
  return out;
}

ReplicaStatus replica_status(const JobRecord& record, const Role& role, std::int32_t id,
                             const JobView& job) {
  ReplicaStatus out;
  out.id = id;
  if (is_service(role)) out.details_json = "{\"service\":true}";
  out.restarts = job.restarts;
  const auto attempt = read_replica(record.record_dir, role.name, id);
  // After a requeue, the record of an earlier attempt does not count until the job has ended.
  const bool is_current = attempt && (attempt->requeues >= job.restarts || is_terminal(job.state));
  if (is_current) {
    out.hostname = attempt->node;
    out.pid = attempt->pid;
    out.started_at = attempt->started_at;
    out.finished_at = attempt->ended_at;
    out.restarts = std::max(out.restarts, attempt->requeues);
    out.structured_error_json =
        read_error_json(record.record_dir, role.name, id, attempt->requeues, record.other_owner);
  } else if (job.nodes.find_first_of("[,") == std::string::npos) {
    out.hostname = job.nodes;  // a single node
  }
  if (is_current && attempt->code) {
    read_code(*attempt->code, job, out);
  } else if (is_terminal(job.state)) {
    // The batch script leaves the result 0 only if the replica has run.
    read_job_end(job, attempt || job.has_own_result, out);
  } else if (job.state == AppState::kRunning) {
    const bool runs = is_current || record.shape == Shape::kArray;
    out.state = runs ? AppState::kRunning : AppState::kPending;
  } else {
    out.state = job.state;
  }
  if (is_current && attempt->was_stopped && is_terminal(out.state)) {
    out.state = AppState::kCancelled;
    out.reason = "work_done";
  }
  if (is_terminal(out.state))
    out.use = use_of(is_current ? &*attempt : nullptr, record, job.step, id);
  out.finished_at = not_before(out.started_at, out.finished_at);
  return out;
}

/// Returns the number of a role's replicas. An elastic role that has started has only as many
/// replicas as it got nodes.
std::int32_t replicas_of(const JobRecord& record, const Role& role, AppState state) {
  const bool may_have_fewer = record.shape == Shape::kRoles && is_elastic(role);
  if (!may_have_fewer || !is_started(state)) return role.num_replicas;
  std::int32_t count = *role.min_replicas;
  const auto has_started = [&](std::int32_t id) {
    const auto attempt = read_replica(record.record_dir, role.name, id);
    return attempt && attempt->started_at;
  };
  while (count < role.num_replicas && has_started(count)) ++count;
  return count;
}

/// Returns a description with the facts that the record alone has.
Description description_of_record(const JobRecord& record) {
  Description out;
  out.app_id =
      record.app_id.empty() ? record.mark.substr(record.mark.find('/') + 1) : record.app_id;
  out.name = record.app.name;
  out.submitted_at = record.submitted_at_ns;
  out.app = record.app;
  return out;
}

/// Returns what the step of a component of the job used.
StepUse step_of(const std::vector<QueueJob>& jobs, std::int32_t component) {
  const auto job = std::find_if(jobs.begin(), jobs.end(),
                                [&](const QueueJob& one) { return one.het_offset == component; });
  return job != jobs.end() ? job->step : StepUse();
}

/// The longest time after which Slurm may show a job whose submission it did not answer.
constexpr std::int64_t kLongestSubmission = 600 * kSecondNs;

/// Completes the description of an app whose job Slurm does not know.
void describe_unknown_job(const JobRecord& record, bool has_result, Description& app) {
  if (app.state == AppState::kCancelled) {
    app.msg = "cancelled before Slurm answered its submission; its job ends if it appears";
    app.finished_at = read_cancellation(record.record_dir);
    return;
  }
  if (record.app_id.empty()) {
    app.msg =
        "Slurm did not answer when the app was submitted, and its queue shows no job of the app";
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const std::int64_t age =
        std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() - record.submitted_at_ns;
    // An UNKNOWN app with a time of its end counts as over; see is_over() in slipway/status.hpp.
    if (age > kLongestSubmission) app.finished_at = app.submitted_at;
    return;
  }
  app.msg = has_result ? "Slurm has forgotten the job; this is what it left in its record"
                       : "Slurm has forgotten the job and it left no result: it may have been "
                         "cancelled, or its node may have failed";
  if (app.state != AppState::kUnknown) return;
  // The app ended no earlier than the last recorded event.
  app.finished_at = app.submitted_at;
  for (const RoleStatus& role : app.roles) {
    for (const ReplicaStatus& replica : role.replicas)
      app.finished_at = std::max({app.finished_at, replica.started_at, replica.finished_at});
  }
}

/// Sets the start of an array, or of an app whose job Slurm has forgotten, to that of its first
/// replica.
void start_with_replicas(Description& app) {
  for (const RoleStatus& role : app.roles) {
    for (const ReplicaStatus& replica : role.replicas) {
      const bool is_earlier =
          replica.started_at && (!app.started_at || *replica.started_at < *app.started_at);
      if (is_earlier) app.started_at = replica.started_at;
    }
  }
}

/// Moves the end of the app to the end of its last replica, because Slurm's times are whole
/// seconds.
void end_after_replicas(Description& app) {
  if (!app.finished_at) return;
  for (const RoleStatus& role : app.roles) {
    for (const ReplicaStatus& replica : role.replicas)
      app.finished_at = std::max(app.finished_at, replica.finished_at);
  }
}

/// Returns whether slurmstepd reports that it ended replicas which used too much memory. With
/// JobAcctGatherParams=OverMemoryKill the state of the job is FAILED, not OUT_OF_MEMORY.
bool reports_memory(const std::string& job_output) {
  // Matches "Exceeded" and "exceeded".
  return job_output.find("xceeded memory limit") != std::string::npos ||
         job_output.find("xceeded job memory limit") != std::string::npos;
}

/// Adds the last lines of the job's own output to the message of a failure that no replica
/// explains, such as one of srun or bash.
void quote_job_output(const JobRecord& record, const std::string& name, Description& app) {
  if (app.state != AppState::kFailed) return;
  for (const RoleStatus& role : app.roles) {
    for (const ReplicaStatus& replica : role.replicas) {
      // For 126 and 127 (not executable, not found), the job's output names the program.
      const bool explains_itself = replica.state == AppState::kFailed &&
                                   (replica.exit_code || replica.signal != 0) &&
                                   replica.exit_code != 126 && replica.exit_code != 127;
      if (explains_itself) return;
    }
  }
  const std::string text = last_lines(record.record_dir + "/" + name, record.other_owner);
  if (reports_memory(text)) {
    for (RoleStatus& role : app.roles) {
      for (ReplicaStatus& replica : role.replicas)
        if (replica.state == AppState::kFailed && replica.reason == "lost") replica.reason = "oom";
    }
  }
  if (!text.empty()) app.msg += (app.msg.empty() ? "" : "; ") + name + ": " + text;
}

Description describe_array(const JobRecord& record, const std::vector<QueueJob>& jobs) {
  Description out = description_of_record(record);
  const Role& role = record.app.roles.front();
  const ArrayJobs array(jobs);
  RoleStatus status{role.name, {}};
  std::vector<AppState> task_states;
  const TimeNs cancelled_at = read_cancellation(record.record_dir);
  for (std::int32_t id = 0; id < role.num_replicas; ++id) {
    const QueueJob* job = array.task(id);
    const auto result = job == nullptr ? read_result(record.record_dir, id) : std::nullopt;
    JobView view = view_of(job, result, cancelled_at);
    view.has_own_result = result.has_value();
    task_states.push_back(view.state);
    out.finished_at = std::max(out.finished_at, view.finished_at);
    status.replicas.push_back(replica_status(record, role, id, view));
    out.num_restarts += status.replicas.back().restarts;  // each task restarts by itself
  }
  out.roles.push_back(std::move(status));
  // Slurm may requeue a task that failed. So the states of the tasks' jobs, and not the records of
  // replicas, decide whether the app has ended.
  out.state = array_state(out.roles.front().replicas, task_states);
  if (!is_terminal(out.state)) out.finished_at.reset();
  start_with_replicas(out);
  end_after_replicas(out);
  if (jobs.empty()) describe_unknown_job(record, out.state != AppState::kUnknown, out);
  if (!is_started(out.state) && !jobs.empty()) out.msg = reason_text(jobs.front().reason);
  const auto& replicas = out.roles.front().replicas;
  const auto failed = std::find_if(replicas.begin(), replicas.end(), [](const ReplicaStatus& one) {
    return one.state == AppState::kFailed;
  });
  if (failed != replicas.end())
    quote_job_output(record, "job-" + std::to_string(failed->id) + ".out", out);
  return out;
}

}  // namespace

Description describe_app(const JobRecord& record, const std::vector<QueueJob>& jobs) {
  if (record.shape == Shape::kArray) return describe_array(record, jobs);
  Description out = description_of_record(record);
  const auto leader = std::min_element(
      jobs.begin(), jobs.end(),
      [](const QueueJob& a, const QueueJob& b) { return a.het_offset < b.het_offset; });
  const QueueJob* job = leader != jobs.end() ? &*leader : nullptr;
  const auto result = job == nullptr ? read_result(record.record_dir, std::nullopt) : std::nullopt;
  JobView view = view_of(job, result, read_cancellation(record.record_dir));
  out.state = view.state;
  out.num_restarts = view.restarts;
  if (job != nullptr) {
    out.msg = reason_text(job->reason);
    if (is_started(out.state)) out.started_at = not_before(out.submitted_at, job->started_at);
  }
  out.finished_at =
      not_before(out.started_at ? out.started_at : out.submitted_at, view.finished_at);
  std::int32_t component = 0;
  for (const Role& role : record.app.roles) {
    RoleStatus status{role.name, {}};
    const std::int32_t count = replicas_of(record, role, out.state);
    for (std::int32_t id = 0; id < count; ++id) {
      // Each role is a component, or in the shape kReplicas each replica.
      if (id == 0 || record.shape == Shape::kReplicas) view.step = step_of(jobs, component++);
      status.replicas.push_back(replica_status(record, role, id, view));
      // Accounting does not have the number of requeues; the records of replicas do.
      out.num_restarts = std::max(out.num_restarts, status.replicas.back().restarts);
    }
    out.roles.push_back(std::move(status));
  }
  if (job == nullptr) {
    start_with_replicas(out);
    describe_unknown_job(record, result.has_value(), out);
  }
  end_after_replicas(out);
  quote_job_output(record, "job.out", out);
  return out;
}

}  // namespace slipway::slurm
