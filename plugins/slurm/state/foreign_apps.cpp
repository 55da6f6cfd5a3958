// Describes jobs without a record, and lists the apps of jobs.
#include <algorithm>
#include <map>

#include "plugins/slurm/script/job_plan.hpp"
#include "plugins/slurm/state/app_description.hpp"
#include "plugins/slurm/state/array_jobs.hpp"
#include "plugins/slurm/state/job_state.hpp"
#include "sdk/support/plain_number.hpp"
#include "slipway/error.hpp"

namespace slipway::slurm {

namespace {

struct ReplicaName {
  std::string role;
  std::int32_t id = 0;
  std::string host = {};  // empty: the job's nodes
};

/// Reads a name such as "my-role-2": a role that is not empty, a dash, and a number.
std::optional<ReplicaName> replica_name(const std::string& name) {
  const std::size_t dash = name.rfind('-');
  if (dash == std::string::npos || dash == 0) return std::nullopt;
  const auto id = plain_number<std::int32_t>(std::string_view(name).substr(dash + 1));
  if (!id) return std::nullopt;
  return ReplicaName{name.substr(0, dash), *id};
}

/// Returns the role with this name. Adds it if the app does not have it.
Role& role_named(AppDef& app, const std::string& name) {
  for (Role& role : app.roles) {
    if (role.name == name) return role;
  }
  app.roles.emplace_back(name).num_replicas = 0;
  return app.roles.back();
}

/// Returns the replicas of a role. Adds the role if the app does not have it.
std::vector<ReplicaStatus>& replicas_of(Description& app, const std::string& role) {
  for (RoleStatus& status : app.roles) {
    if (status.role == role) return status.replicas;
  }
  app.roles.push_back({role, {}});
  return app.roles.back().replicas;
}

/// Returns the replicas of a job. In a job with Slipway's mark, the name of an array is its role,
/// and each task is a replica. Otherwise a name `role-N` is one replica, even if a role has this
/// name. Any other name is a role whose tasks are the replicas.
///
/// In a job without the mark, a name `role-N` is one replica, or one on each host if the job has
/// several hosts: in TorchX, an elastic role is a single component. Throws Error kInvalid for any
/// other name without the mark.
std::vector<ReplicaName> replicas_in(const std::string& app_id, const QueueJob& job) {
  std::vector<ReplicaName> out;
  const bool is_marked = !mark_in(job.comment).empty();
  if (is_marked && job.array_id != 0) {
    if (job.array_task) return {{job.name, *job.array_task}};
    for (const std::int32_t id : array_task_ids(job.array_tasks)) out.push_back({job.name, id});
  } else if (const auto first = replica_name(job.name)) {
    if (job.hosts.size() < 2 || is_marked) return {*first};
    for (const std::string& host : job.hosts)
      out.push_back({first->role, first->id + static_cast<std::int32_t>(out.size()), host});
  } else if (is_marked) {
    for (std::int32_t id = 0; id < job.tasks; ++id) out.push_back({job.name, id});
  } else {
    throw Error(Code::kInvalid,
                "job " + app_id + " is not an app: its name '" + job.name +
                    "' is not that of a replica (ROLE-NUMBER)",
                "`scontrol show job " + app_id + "` prints any job");
  }
  return out;
}

/// Returns the state of a job. For a job of Slipway its flags decide, for other jobs its base
/// state, as in TorchX.
AppState state_of(const QueueJob& job) {
  return mark_in(job.comment).empty() ? first_known_state(job.states)
                                      : state_with_flags(job.states);
}

ReplicaStatus status_of(const ReplicaName& replica, const QueueJob& job) {
  ReplicaStatus out;
  out.id = replica.id;
  out.state = state_of(job);
  out.hostname = replica.host.empty() ? job.nodes : replica.host;
  out.restarts = job.restarts.value_or(0);
  out.started_at = job.started_at;
  if (is_terminal(out.state)) {
    out.finished_at = job.finished_at;
    // Slurm reports 0:0 for a cancelled job that may never have run.
    const bool has_code = out.state != AppState::kCancelled || job.exit_code.value_or(0) != 0;
    if (has_code) out.exit_code = job.exit_code;
    out.signal = job.signal;
    out.reason = end_reason(job.states);
    if (out.reason.empty()) out.reason = job.signal != 0 ? "signal" : "exit";
    if (job.step.tasks == 1) out.use = job.step.use;
  }
  return out;
}

/// Completes the description of an array: sorts its replicas, and derives the app's state and times
/// from all tasks.
void complete_array(const std::vector<QueueJob>& jobs, Description& app) {
  if (app.roles.size() != 1) return;  // no task is known, or a user has renamed some
  std::vector<ReplicaStatus>& replicas = app.roles.front().replicas;
  std::sort(replicas.begin(), replicas.end(),
            [](const ReplicaStatus& a, const ReplicaStatus& b) { return a.id < b.id; });
  std::vector<AppState> tasks;
  for (const ReplicaStatus& replica : replicas) tasks.push_back(replica.state);
  app.state = array_state(replicas, tasks);
  app.started_at.reset();
  app.finished_at.reset();
  for (const QueueJob& job : jobs) {
    if (job.started_at && (!app.started_at || *job.started_at < *app.started_at))
      app.started_at = job.started_at;
    if (is_terminal(app.state)) app.finished_at = std::max(app.finished_at, job.finished_at);
  }
}

}  // namespace

Description describe_jobs(const std::string& app_id, const std::vector<QueueJob>& jobs) {
  Description out;
  out.app_id = app_id;
  out.num_restarts = -1;  // unknown, unless a job reports it
  AppDef app;
  for (const QueueJob& job : jobs) {
    const bool is_accounted = !job.state_text.empty();
    for (const ReplicaName& replica : replicas_in(app_id, job)) {
      replicas_of(out, replica.role).push_back(status_of(replica, job));
      Role& role = role_named(app, replica.role);
      ++role.num_replicas;
      role.resource = job.resource;
      if (is_accounted) continue;  // accounting was not asked for the next two
      role.image = job.work_dir;
      role.entrypoint = job.command;
    }
    out.state = state_of(job);
    out.msg = is_accounted ? job.state_text : reason_text(job.reason);
    out.num_restarts = std::max(out.num_restarts, job.restarts.value_or(-1));
    if (!out.submitted_at) out.submitted_at = job.submitted_at;
    if (is_started(out.state)) out.started_at = job.started_at;
    out.finished_at = is_terminal(out.state) ? job.finished_at : std::nullopt;
  }
  if (!jobs.empty()) {
    const std::string mark = mark_in(jobs.front().comment);
    out.name = mark.empty() ? jobs.front().name : app_of_mark(mark).name;
    if (jobs.front().array_id != 0) complete_array(jobs, out);
  }
  out.app = std::move(app);
  return out;
}

std::vector<ListItem> list_apps(const std::vector<QueueJob>& jobs) {
  // The first component by het_id, because the components of a job come in any order.
  std::map<std::int64_t, std::int32_t> first_components;
  for (const QueueJob& job : jobs) {
    std::int32_t& first = first_components.try_emplace(job.het_id, job.het_offset).first->second;
    first = std::min(first, job.het_offset);
  }
  std::map<std::int64_t, std::vector<ReplicaStatus>> arrays;
  std::vector<ListItem> out;
  for (const QueueJob& job : jobs) {
    if (job.het_offset != first_components[job.het_id]) continue;
    const bool is_known = job.array_id != 0 && arrays.count(job.array_id) != 0;
    const AppState state = state_with_flags(job.states);
    if (job.array_id != 0) {
      arrays[job.array_id].push_back(status_of(ReplicaName{job.name, 0}, job));
      arrays[job.array_id].back().state = state;
    }
    if (is_known) continue;
    ListItem item;
    item.app_id = std::to_string(job.app_id());
    item.name = job.name;
    if (const std::string mark = mark_in(job.comment); !mark.empty()) {
      MarkedApp app = app_of_mark(mark);
      item.name = std::move(app.name);
      item.session = std::move(app.session);
    }
    item.state = state;
    item.submitted_at = job.submitted_at;
    out.push_back(std::move(item));
  }
  for (ListItem& item : out) {
    const auto array = arrays.find(std::stoll(item.app_id));
    if (array == arrays.end()) continue;
    std::vector<AppState> tasks;
    for (const ReplicaStatus& task : array->second) tasks.push_back(task.state);
    item.state = array_state(array->second, tasks);
  }
  std::stable_sort(out.begin(), out.end(), [](const ListItem& a, const ListItem& b) {
    return a.submitted_at.value_or(0) > b.submitted_at.value_or(0);
  });
  return out;
}

}  // namespace slipway::slurm
