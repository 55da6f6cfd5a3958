#include "plugins/local/supervisor/retrying/restarts.hpp"

#include <algorithm>
#include <string>

namespace slipway::local {

void Restarts::resume() {
  for (std::uint32_t role = 0; role < files_.roles().size(); ++role) {
    take_along(role);
    if (!rounds_.awaits_clearing()) awaited_.push_back(role);
  }
  advance();
}

void Restarts::retry_replica(std::uint32_t index, std::int64_t due_ns) {
  replicas_.retry(index, due_ns);
  // While its role is being left, it comes along with the others.
  if (replicas_.leaving(files_.role_of(index)) == 0 && !rounds_.awaits_clearing())
    queue_.wait(index);
}

void Restarts::restart_role(std::uint32_t role, std::int64_t due_ns) {
  rounds_.order_role(role, due_ns);
  const std::string& name = files_.locate(files_.roles()[role].first).first->role;
  files_.events().add(files_.changed(), "role " + name + " RESTARTING");
  take_along(role);
  awaited_.push_back(role);
  advance();
}

void Restarts::restart_app(std::int64_t due_ns) {
  rounds_.order_app(due_ns);
  files_.events().add(files_.changed(), "app RESTARTING");
  for (std::uint32_t role = 0; role < files_.roles().size(); ++role) take_along(role);
  // Others than the replicas' own process groups hear it, too.
  if (replicas_.leaving() != 0) {
    ladder_.terminate();
    ladder_.terminate_strays();
  }
}

/// Brings what is old of a role into its new round; what runs is told to end.
void Restarts::take_along(std::uint32_t role) {
  const RoleSpan& span = files_.roles()[role];
  for (std::uint32_t i = span.first; i < span.first + span.count; ++i) {
    if (rounds_.is_old(i) && replicas_.take_along(i)) stopper_.stop(i);
  }
}

void Restarts::let_wait(std::uint32_t role) {
  const RoleSpan& span = files_.roles()[role];
  for (std::uint32_t i = span.first; i < span.first + span.count; ++i) {
    const bool again = replicas_.attempt(i) > 0 || rounds_.was_repeated(i);
    if (replicas_.state(i) == RecordState::kPending && again) queue_.wait(i);
  }
}

void Restarts::advance() {
  const auto is_left = [this](std::uint32_t role) {
    if (replicas_.leaving(role) != 0) return false;
    let_wait(role);
    return true;
  };
  if (rounds_.awaits_clearing() || awaited_.empty()) return;
  awaited_.erase(std::remove_if(awaited_.begin(), awaited_.end(), is_left), awaited_.end());
}

void Restarts::begin_app_round() {
  rounds_.mark_cleared();
  awaited_.clear();
  for (std::uint32_t role = 0; role < files_.roles().size(); ++role) let_wait(role);
}

}  // namespace slipway::local
