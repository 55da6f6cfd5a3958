#include "plugins/slurm/scheduler/signal_order.hpp"

#include <algorithm>
#include <optional>

#include "plugins/slurm/engine/job_query.hpp"
#include "plugins/slurm/engine/job_signal.hpp"
#include "plugins/slurm/scheduler/app_lookup.hpp"
#include "plugins/slurm/script/job_plan.hpp"
#include "slipway/app_state.hpp"
#include "slipway/error.hpp"
#include "slipway/log_targets.hpp"

namespace slipway::slurm {

namespace {

/// The replicas of one component or array task of the job. One step runs them.
struct Unit {
  std::size_t part = 0;                 ///< the number of its component in the batch script
  const QueueJob* job = nullptr;        ///< nullptr: Slurm does not show it
  bool has_others = false;              ///< a replica outside the order has not ended
  std::vector<ReplicaProcess> running;  ///< the running replicas that the order names
  std::vector<std::size_t> rows;        ///< their positions in the results
};

const ReplicaStatus* status_of(const Description& app, const std::string& role, std::int32_t id) {
  for (const RoleStatus& each : app.roles) {
    if (each.role != role) continue;
    const auto found = std::find_if(each.replicas.begin(), each.replicas.end(),
                                    [&](const ReplicaStatus& one) { return one.id == id; });
    if (found != each.replicas.end()) return &*found;
  }
  return nullptr;
}

std::string why_not_running(const Description& app, const ReplicaStatus* replica) {
  if (replica != nullptr && is_terminal(replica->state))
    return "ended (" + std::string(to_string(replica->state)) + ")";
  const std::string why = app.msg.empty() ? std::string() : ": " + app.msg;
  return "not started yet (PENDING" + why + ")";
}

/// Returns the number of the component or task that runs replica `id` of role number `role`.
std::size_t unit_of(const JobRecord& record, std::size_t role, std::int32_t id) {
  if (record.shape == Shape::kRoles) return role;
  std::size_t out = static_cast<std::size_t>(id);
  for (std::size_t i = 0; i < role; ++i)
    out += static_cast<std::size_t>(record.app.roles[i].num_replicas);
  return out;
}

/// Returns the job of the unit with this number; nullptr if Slurm does not show it.
const QueueJob* job_of(const JobRecord& record, const std::vector<QueueJob>& jobs,
                       std::size_t unit) {
  const auto found = std::find_if(jobs.begin(), jobs.end(), [&](const QueueJob& job) {
    const auto number = static_cast<std::int32_t>(unit);
    if (record.shape == Shape::kArray) return job.array_task == number;
    return job.het_id == 0 ? unit == 0 : job.het_offset == number;
  });
  return found != jobs.end() ? &*found : nullptr;
}

/// If wrapper_outlives(signal), signals the whole step of each unit without unfinished replicas
/// outside the order. Otherwise, and in the other units, signals single programs. Calls `sent(row)`
/// for each replica that got the signal.
template <class Sent>
void send_to(const std::vector<Unit>& units, const JobId& id, int signal, const Call& call,
             Sent sent) {
  std::vector<QueueJob> whole;
  for (const Unit& unit : units) {
    if (unit.job != nullptr && !unit.running.empty() && !unit.has_others &&
        wrapper_outlives(signal))
      whole.push_back(*unit.job);
  }
  const std::vector<JobStep> steps =
      whole.empty() ? std::vector<JobStep>() : query_steps(id, whole, call);
  StrList step_ids;
  for (const JobStep& step : steps) step_ids.push_back(step.id);
  if (!step_ids.empty()) signal_steps(id, step_ids, signal, call);
  const auto is_in = [](const auto& list, auto field, std::int64_t job) {
    return std::any_of(list.begin(), list.end(),
                       [&](const auto& one) { return one.*field == job; });
  };
  for (const Unit& unit : units) {
    if (unit.job == nullptr || unit.running.empty()) continue;
    if (is_in(whole, &QueueJob::id, unit.job->id)) {
      if (is_in(steps, &JobStep::job, unit.job->id))
        std::for_each(unit.rows.begin(), unit.rows.end(), sent);
      continue;
    }
    const auto got = signal_programs(id, *unit.job, unit.part, unit.running, signal, call);
    for (std::size_t k = 0; k < unit.running.size(); ++k) {
      if (std::find(got.begin(), got.end(), unit.running[k].replica) != got.end())
        sent(unit.rows[k]);
    }
  }
}

/// Returns the components or tasks of the app's job; none if Slurm has given its number to another
/// job.
std::vector<QueueJob> jobs_of(const JobRecord& record, const JobId& id, const Call& call) {
  std::vector<QueueJob> out = query_own_app(id, call).jobs;
  if (!out.empty() && !is_job_of(record.mark, record.record_dir, out.front())) out.clear();
  return out;
}

/// Signals all steps of a job without a record.
std::vector<SignalResult> signal_unrecorded(const SignalOrder& order, const Call& call) {
  if (!order.targets.empty()) {
    throw Error(Code::kUnimplemented,
                "there is no record of job " + order.app_id + ": only all of it can be signalled",
                "leave the role out");
  }
  const auto id = parse_job_id(order.app_id);
  const std::vector<QueueJob> jobs = id ? query_any_app(*id, call).jobs : std::vector<QueueJob>();
  StrList steps;
  for (const JobStep& step : jobs.empty() ? std::vector<JobStep>() : query_steps(*id, jobs, call))
    steps.push_back(step.id);
  SignalResult result;
  result.sent = !steps.empty();
  if (result.sent) {
    signal_steps(*id, steps, order.signal, call);
  } else {
    result.why = "no step of the job runs";
  }
  return {result};
}

}  // namespace

std::vector<SignalResult> carry_out(const SignalOrder& order, const std::string& state_root,
                                    const Call& call) {
  const auto app = look_up(state_root, order.app_id, call);
  if (!app) throw Error(Code::kNotFound, "there is no app " + order.app_id);
  if (is_over(*app)) {
    throw Error(Code::kPrecondition,
                "the app " + order.app_id + " is " + std::string(to_string(app->state)) +
                    ": none of its replicas runs",
                "`slipway rerun` starts it again");
  }
  const auto record = resolved_record(state_root, order.app_id, call);
  if (!record) return signal_unrecorded(order, call);
  check_targets(order.app_id, role_sizes(record->app), order.targets);
  const auto id = parse_job_id(record->app_id);
  const std::vector<QueueJob> jobs = id ? jobs_of(*record, *id, call) : std::vector<QueueJob>();

  std::vector<Unit> units;
  std::vector<SignalResult> results;
  for (std::size_t i = 0; i < record->app.roles.size(); ++i) {
    const Role& role = record->app.roles[i];
    for (std::int32_t replica = 0; replica < role.num_replicas; ++replica) {
      const std::size_t number = unit_of(*record, i, replica);
      if (number >= units.size()) units.resize(number + 1);
      Unit& unit = units[number];
      const ReplicaStatus* status = status_of(*app, role.name, replica);
      const bool runs = status != nullptr && status->state == AppState::kRunning && status->pid > 0;
      if (!order.names(role.name, replica)) {
        // A replica may run before its record shows the start.
        unit.has_others = unit.has_others || status == nullptr || !is_terminal(status->state);
        continue;
      }
      if (runs) {
        unit.running.push_back({replica, status->hostname, status->pid});
        unit.rows.push_back(results.size());
      }
      // A signal that reaches the replica clears this reason.
      results.push_back({role.name, replica, false,
                         runs ? "just ending, or just started" : why_not_running(*app, status)});
    }
  }
  for (std::size_t i = 0; i < units.size(); ++i) {
    units[i].part = record->shape == Shape::kArray ? 0 : i;  // all tasks run component 0
    units[i].job = job_of(*record, jobs, i);
  }
  if (!id) return results;
  send_to(units, *id, order.signal, call, [&](std::size_t row) {
    results[row].sent = true;
    results[row].why.clear();
  });
  return results;
}

}  // namespace slipway::slurm
