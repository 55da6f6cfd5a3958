#include "plugins/local/supervisor/retrying/restarts.hpp"

#include <algorithm>
#include <string>

namespace slipway::local {

void Restarts::resume() {
  // The start queue is not in the record, so all roles are queued again.
  for (std::uint32_t role = 0; role < files_.roles().size(); ++role) {
    bring_into_round(role);
    if (!rounds_.awaits_old_processes()) awaited_.push_back(role);
  }
  advance();
}

void Restarts::retry_replica(std::uint32_t index, std::int64_t due_ns) {
  replicas_.record_retry(index, due_ns);
  // During a restart of its role or of the app, it starts with the other replicas.
  if (replicas_.old_running(files_.role_of(index)) == 0 && !rounds_.awaits_old_processes())
    queue_.add(index);
}

void Restarts::restart_role(std::uint32_t role, std::int64_t due_ns) {
  rounds_.request_role_restart(role, due_ns);
  const std::string& name = files_.locate(files_.roles()[role].first).first->role;
  files_.events().add(files_.changed(), "role " + name + " RESTARTING");
  bring_into_round(role);
  awaited_.push_back(role);
  advance();
}

void Restarts::restart_app(std::int64_t due_ns) {
  rounds_.request_app_restart(due_ns);
  files_.events().add(files_.changed(), "app RESTARTING");
  for (std::uint32_t role = 0; role < files_.roles().size(); ++role) bring_into_round(role);
  // A restart ends all processes of the app, also those outside the replicas' process groups. If no
  // replica runs, Reaper::clear_old_round() kills them at once.
  if (replicas_.old_running() != 0) ladder_.terminate_strays();
}

/// Takes the replicas of a role into its new round, and stops those that run.
void Restarts::bring_into_round(std::uint32_t role) {
  const RoleSpan& span = files_.roles()[role];
  for (std::uint32_t i = span.first; i < span.first + span.count; ++i) {
    if (rounds_.is_old(i) && replicas_.enter_round(i)) ladder_.stop_one(i);
  }
}

/// Queues the PENDING replicas of a role for their next start. The queue itself finds those that
/// were never started.
void Restarts::queue_replicas(std::uint32_t role) {
  const RoleSpan& span = files_.roles()[role];
  for (std::uint32_t i = span.first; i < span.first + span.count; ++i) {
    const bool was_started = replicas_.attempt(i) > 0 || rounds_.saw_restart(i);
    if (replicas_.state(i) == RecordState::kPending && was_started) queue_.add(i);
  }
}

void Restarts::advance() {
  const auto queue_if_ready = [this](std::uint32_t role) {
    if (replicas_.old_running(role) != 0) return false;
    queue_replicas(role);
    return true;
  };
  if (rounds_.awaits_old_processes() || awaited_.empty()) return;
  awaited_.erase(std::remove_if(awaited_.begin(), awaited_.end(), queue_if_ready), awaited_.end());
}

void Restarts::begin_app_round() {
  rounds_.old_processes_ended();
  awaited_.clear();
  for (std::uint32_t role = 0; role < files_.roles().size(); ++role) queue_replicas(role);
}

}  // namespace slipway::local
