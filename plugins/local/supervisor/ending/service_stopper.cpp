#include "plugins/local/supervisor/ending/service_stopper.hpp"

#include <map>
#include <string>

namespace slipway::local {

ServiceStopper::ServiceStopper(AppFiles& files, Replicas& replicas, KillLadder& ladder,
                               Readiness& readiness)
    : files_(files), replicas_(replicas), ladder_(ladder), readiness_(readiness) {
  const auto count = static_cast<std::uint32_t>(files.roles().size());
  for (std::uint32_t role = 0; role < count; ++role)
    if (files.roles()[role].rules.service) unstopped_services_.push_back(role);
  if (unstopped_services_.empty()) return;
  const auto group_of = [&](std::uint32_t role) -> const LaunchGroup& {
    return *files.locate(files.roles()[role].first).first;
  };
  std::map<std::string, std::uint32_t> numbers;
  for (std::uint32_t role = 0; role < count; ++role) numbers.emplace(group_of(role).role, role);
  awaited_roles_.resize(count);
  for (std::uint32_t role = 0; role < count; ++role) {
    for (const Dependency& one : group_of(role).needs.after)
      awaited_roles_[role].push_back(numbers.at(one.role));
  }
}

void ServiceStopper::advance() {
  if (unstopped_services_.empty()) return;
  if (!replicas_.work_is_done() || files_.state().stop_cause() != StopCause::kNone) return;
  if (!has_begun_) begin();
  const std::vector<bool> needed = needed_roles();
  const auto stop_if_unneeded = [&](std::uint32_t role) {
    if (needed[role]) return false;
    const RoleSpan& span = files_.roles()[role];
    for (std::uint32_t i = span.first; i < span.first + span.count; ++i) {
      if (replicas_.is_running(i)) ladder_.stop_one(i);
    }
    return true;
  };
  std::erase_if(unstopped_services_, stop_if_unneeded);
}

void ServiceStopper::begin() {
  has_begun_ = true;
  readiness_.stop();
  files_.events().add(files_.changed(), "app WORK_DONE");
  replicas_.cancel_pending(Reason::kWorkDone);
}

bool ServiceStopper::has_ended(std::uint32_t role) const {
  const RoleSpan& span = files_.roles()[role];
  for (std::uint32_t i = span.first; i < span.first + span.count; ++i) {
    if (!is_final(replicas_.state(i))) return false;
  }
  return true;
}

/// Returns for each role whether a service that has not ended waits for it, directly or through
/// other roles.
std::vector<bool> ServiceStopper::needed_roles() const {
  std::vector<bool> needed(awaited_roles_.size());
  std::vector<std::uint32_t> unvisited;
  for (std::uint32_t role = 0; role < awaited_roles_.size(); ++role) {
    if (files_.roles()[role].rules.service && !has_ended(role)) unvisited.push_back(role);
  }
  while (!unvisited.empty()) {
    const std::uint32_t role = unvisited.back();
    unvisited.pop_back();
    for (const std::uint32_t other : awaited_roles_[role]) {
      if (needed[other]) continue;
      needed[other] = true;
      unvisited.push_back(other);
    }
  }
  return needed;
}

}  // namespace slipway::local
