#include "core/cli/apps/wait_lines.hpp"

#include <algorithm>
#include <vector>

#include "core/cli/terminal/diagnostics.hpp"
#include "core/status/outcome.hpp"

namespace slipway::cli {

namespace {

using Clock = std::chrono::steady_clock;

/// Returns the time until a wait that began at `since` has a line; zero or less if it has lasted
/// long enough.
std::chrono::milliseconds time_left(Clock::time_point since, Clock::time_point now) {
  return std::chrono::ceil<std::chrono::milliseconds>(since + kShortestTellableWait - now);
}

}  // namespace

std::optional<std::chrono::milliseconds> AppMessage::look(const Description& app) {
  if (app.msg.empty()) {
    if (is_printed_) say(LogLevel::kInfo, app_id_ + " no longer waits");
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
  say(LogLevel::kWarning, app_id_ + ": " + app.msg);
  return std::nullopt;
}

std::map<WaitLines::Cause, WaitLines::Waiting> WaitLines::waits_in(const Description& app) const {
  std::map<Cause, Waiting> out;
  for (const RoleStatus& role : app.roles) {
    for (const ReplicaStatus& replica : role.replicas) {
      if (replica.state != AppState::kPending) continue;
      if (filter_ && !filter_(role.role, replica.id)) continue;
      std::string text = wait_of(replica);
      if (text.empty()) continue;
      std::string until = next_attempt_of(replica);
      Waiting& waiting = out[{role.role, until.empty() ? text : std::string()}];
      if (waiting.replicas.empty() || until < waiting.until) {
        waiting.text = std::move(text);
        waiting.until = std::move(until);
      }
      waiting.replicas.push_back(replica.id);
    }
  }
  return out;
}

std::optional<std::chrono::milliseconds> WaitLines::look(const Description& app) {
  if (app.num_restarts != restarts_) printed_.clear();
  restarts_ = app.num_restarts;
  const std::map<Cause, Waiting> waits = waits_in(app);
  const auto has_ended = [&](const Cause& cause) { return waits.count(cause) == 0; };
  std::erase_if(since_, [&](const auto& one) { return has_ended(one.first); });
  // Slots become free and are taken all the time; a pause comes with another failure.
  std::erase_if(printed_,
                [&](const Cause& cause) { return cause.second.empty() && has_ended(cause); });
  const Clock::time_point now = Clock::now();
  std::optional<std::chrono::milliseconds> next;
  for (const auto& [cause, waiting] : waits) {
    if (printed_.count(cause) != 0) continue;
    const auto left = time_left(since_.try_emplace(cause, now).first->second, now);
    if (left.count() > 0) {
      next = std::min(left, next.value_or(left));
      continue;
    }
    since_.erase(cause);
    printed_.insert(cause);
    const char* const verb = waiting.replicas.size() == 1 ? " waits for " : " wait for ";
    say(LogLevel::kInfo, replica_names(cause.first, waiting.replicas) + verb + waiting.text);
  }
  return next;
}

}  // namespace slipway::cli
