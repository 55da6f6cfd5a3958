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

bool Dependencies::has_started(std::uint32_t role) const {
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

bool Dependencies::is_met(const Edge& edge) const {
  const RoleSpan& span = files_.roles()[edge.role];
  for (std::uint32_t i = span.first; i < span.first + span.count; ++i) {
    const RecordState state = replicas_.state(i);
    bool met = false;
    switch (edge.until) {
      case Dependency::Until::kStarted:
        met = rounds_.attempts_in_round(i) > 0 && state != RecordState::kStarting;
        break;
      case Dependency::Until::kSucceeded: met = state == RecordState::kSucceeded; break;
      case Dependency::Until::kHealthy:
        met = (state == RecordState::kRunning || state == RecordState::kSucceeded) &&
              replicas_.is_ready(i);
        break;
    }
    if (!met || rounds_.is_old(i)) return false;
  }
  return true;
}

bool Dependencies::can_never_be_met(const Edge& edge) const {
  const RoleSpan& span = files_.roles()[edge.role];
  const bool healthy = edge.until == Dependency::Until::kHealthy;
  if (replicas_.failed_in(edge.role) == 0 && !healthy) return false;
  for (std::uint32_t i = span.first; i < span.first + span.count; ++i) {
    // A replica that succeeded before its probe passed will never become ready.
    const bool ended_unready =
        healthy && replicas_.state(i) == RecordState::kSucceeded && !replicas_.is_ready(i);
    if (ended_unready) return true;
    if (replicas_.state(i) != RecordState::kFailed) continue;
    // A failed replica had started, unless it failed because of its own dependencies.
    if (edge.until != Dependency::Until::kStarted || rounds_.attempts_in_round(i) == 0) return true;
  }
  return false;
}

}  // namespace slipway::local
