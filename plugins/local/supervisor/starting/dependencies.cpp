#include "plugins/local/supervisor/starting/dependencies.hpp"

#include <string>
#include <unordered_map>

namespace slipway::local {

Dependencies::Dependencies(AppFiles& files, const Replicas& replicas, const Rounds& rounds)
    : files_(files), replicas_(replicas), rounds_(rounds) {
  for (const LaunchGroup& group : files.plan().groups)
    has_any_ = has_any_ || !group.needs.after.empty();
  if (!has_any_) return;
  std::unordered_map<std::string, std::uint32_t> numbers;
  const auto count = static_cast<std::uint32_t>(files.roles().size());
  for (std::uint32_t role = 0; role < count; ++role)
    numbers.emplace(files.locate(files.roles()[role].first).first->role, role);
  edges_.resize(count);
  may_start_.assign(count, false);
  can_never_start_.assign(count, false);
  for (std::uint32_t role = 0; role < count; ++role) {
    const LaunchGroup& group = *files.locate(files.roles()[role].first).first;
    for (const Dependency& one : group.needs.after)
      edges_[role].push_back({numbers.at(one.role), one.until});
  }
  round_ = rounds_.app_restarts();
  for (std::uint32_t role = 0; role < count; ++role) may_start_[role] = has_started(role);
  update();
}

/// Returns whether a replica of the role was started since the last restart of the app. After a
/// restart of the app and then of the role, the answer is false until the role starts again.
bool Dependencies::has_started(std::uint32_t role) const {
  // After a restart of the role alone, its replicas have had no attempt in their present round.
  if (rounds_.app_restarts() == 0 && rounds_.role_restarts(role) > 0) return true;
  const RoleSpan& span = files_.roles()[role];
  for (std::uint32_t i = span.first; i < span.first + span.count; ++i) {
    if (rounds_.attempts_in_round(i) > 0 && !rounds_.is_old(i)) return true;
  }
  return false;
}

void Dependencies::update() {
  if (!has_any_) return;
  if (rounds_.app_restarts() != round_) {
    round_ = rounds_.app_restarts();
    may_start_.assign(edges_.size(), false);
  }
  for (std::size_t role = 0; role < edges_.size(); ++role) {
    can_never_start_[role] = false;
    if (may_start_[role]) continue;
    bool met = true;
    for (const Edge& edge : edges_[role]) {
      met = met && is_met(edge);
      can_never_start_[role] = can_never_start_[role] || can_never_be_met(edge);
    }
    may_start_[role] = met;
  }
}

/// Returns the values of replica `index` that rules::is_met() needs.
rules::AwaitedReplica Dependencies::awaited(std::uint32_t index) const {
  const RecordState state = replicas_.state(index);
  rules::AwaitedReplica out;
  out.has_started = rounds_.attempts_in_round(index) > 0 && state != RecordState::kStarting;
  out.is_running = state == RecordState::kRunning;
  out.has_succeeded = state == RecordState::kSucceeded;
  out.has_failed = state == RecordState::kFailed;
  out.is_ready = replicas_.is_ready(index);
  return out;
}

bool Dependencies::is_met(const Edge& edge) const {
  const RoleSpan& span = files_.roles()[edge.role];
  for (std::uint32_t i = span.first; i < span.first + span.count; ++i) {
    if (!rules::is_met(edge.until, awaited(i)) || rounds_.is_old(i)) return false;
  }
  return true;
}

bool Dependencies::can_never_be_met(const Edge& edge) const {
  const RoleSpan& span = files_.roles()[edge.role];
  // Saves the look at each replica: without a failure, only kHealthy can become impossible.
  if (replicas_.failed_in(edge.role) == 0 && edge.until != Dependency::Until::kHealthy)
    return false;
  for (std::uint32_t i = span.first; i < span.first + span.count; ++i) {
    if (rules::can_never_be_met(edge.until, awaited(i))) return true;
  }
  return false;
}

}  // namespace slipway::local
