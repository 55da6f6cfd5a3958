#include "core/cli/apps/wait_lines.hpp"

#include <algorithm>

#include "core/cli/terminal/diagnostics.hpp"
#include "core/runner/poll_timeout.hpp"
#include "core/status/app_events.hpp"
#include "core/status/outcome.hpp"

namespace slipway::cli {

namespace {

using Clock = std::chrono::steady_clock;

/// Returns the time until a wait that began at `since` is printed; zero or less if it has lasted
/// long enough.
std::chrono::milliseconds time_left(Clock::time_point since, Clock::time_point now) {
  return std::chrono::ceil<std::chrono::milliseconds>(since + kShortestPrintedWait - now);
}

}  // namespace

PrintWait wait_messages(std::string app_id) {
  return [app_id = std::move(app_id)](const Wait& wait) {
    if (!wait.role.empty()) {
      const char* const verb = wait.replicas.size() == 1 ? " waits for " : " wait for ";
      say(LogLevel::kInfo, replica_names(wait.role, wait.replicas) + verb + wait.text);
    } else if (wait.text.empty()) {
      say(LogLevel::kInfo, app_id + " no longer waits");
    } else {
      say(LogLevel::kWarning, app_id + ": " + wait.text);
    }
  };
}

std::optional<std::chrono::milliseconds> AppMessage::look(const Description& app) {
  const auto print = [&] {
    Wait wait;
    wait.state = app.state;
    wait.text = app.msg;
    print_(wait);
  };
  if (app.msg.empty()) {
    if (is_printed_) print();
    is_printed_ = false;
    since_.reset();
    return std::nullopt;
  }
  if (is_printed_) return std::nullopt;
  const Clock::time_point now = Clock::now();
  if (!since_) since_ = now;
  const auto left = time_left(*since_, now);
  if (left.count() > 0) return left;
  is_printed_ = true;
  print();
  return std::nullopt;
}

std::map<ReplicaWaits::Cause, Wait> ReplicaWaits::waits_in(const Description& app) const {
  std::map<Cause, Wait> out;
  for (const RoleStatus& role : app.roles) {
    for (const ReplicaStatus& replica : role.replicas) {
      if (replica.state != AppState::kPending) continue;
      if (filter_ && !filter_(role.role, replica.id)) continue;
      std::string text = wait_of(replica);
      if (text.empty()) continue;
      std::string until = next_attempt_of(replica);
      const auto attempt = static_cast<std::int32_t>(earlier_attempts_of(replica)) + 1;
      Cause cause{role.role, -1, 0, until.empty() ? text : std::string()};
      if (grouping_ == Grouping::kByReplica) {
        cause.replica = replica.id;
        cause.attempt = attempt;
      }
      Wait& wait = out[std::move(cause)];
      if (wait.replicas.empty()) {
        wait.role = role.role;
        wait.attempt = attempt;
        wait.state = replica.state;
      }
      // The times are in UTC, so their texts sort by time.
      if (wait.replicas.empty() || until < wait.next_attempt_at) {
        wait.text = std::move(text);
        wait.next_attempt_at = std::move(until);
      }
      wait.replicas.push_back(replica.id);
    }
  }
  return out;
}

std::optional<std::chrono::milliseconds> ReplicaWaits::look(const Description& app) {
  if (app.num_restarts != restarts_) {
    since_.clear();
    if (grouping_ == Grouping::kByRole) printed_.clear();
  }
  restarts_ = app.num_restarts;
  const std::map<Cause, Wait> waits = waits_in(app);
  // With kByReplica, a wait ends only with the replica's next attempt: a description before that
  // may show no wait, because a slot is free at that moment.
  if (grouping_ == Grouping::kByRole) {
    const auto has_ended = [&](const Cause& cause) { return waits.count(cause) == 0; };
    std::erase_if(since_, [&](const auto& one) { return has_ended(one.first); });
    // Waits for slots come and go all the time, so each is printed only once. Each pause before a
    // retry (without a text) follows another failure, so it is printed each time.
    std::erase_if(printed_,
                  [&](const Cause& cause) { return cause.text.empty() && has_ended(cause); });
  }
  const Clock::time_point now = Clock::now();
  std::optional<std::chrono::milliseconds> next;
  for (const auto& [cause, wait] : waits) {
    if (printed_.count(cause) != 0) continue;
    const auto left = time_left(since_.try_emplace(cause, now).first->second, now);
    if (left.count() > 0) {
      next = earliest(next, left);
      continue;
    }
    since_.erase(cause);
    printed_.insert(cause);
    print_(wait);
  }
  return next;
}

}  // namespace slipway::cli
