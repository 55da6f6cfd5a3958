#include "core/cli/apps/failure_lines.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/cli/terminal/diagnostics.hpp"
#include "core/status/outcome.hpp"

namespace slipway::cli {

namespace {

/// Replicas of a role that failed alike.
struct Group {
  std::string role;
  std::string text;
  std::vector<std::int32_t> replicas;
};

/// Returns whether every replica has ended, but not yet the app: its end follows at once.
bool is_ending(const Description& app) {
  const auto has_ended = [](const ReplicaStatus& replica) { return is_terminal(replica.state); };
  return !is_terminal(app.state) &&
         std::all_of(app.roles.begin(), app.roles.end(), [&](const RoleStatus& role) {
           return !role.replicas.empty() &&
                  std::all_of(role.replicas.begin(), role.replicas.end(), has_ended);
         });
}

}  // namespace

FailureLines::FailureLines(Invocation& invocation, AppHandle handle, AtEnd at_end,
                           ReplicaFilter filter)
    : invocation_(invocation),
      handle_(std::move(handle)),
      at_end_(at_end),
      filter_(std::move(filter)) {}

void FailureLines::print_new(const Description& app) {
  const bool names_first = at_end_ == AtEnd::kNamesFirst;
  if (names_first && is_ending(app)) return;  // the app's end tells which one the last line names
  const RoleStatus* first_role = nullptr;
  const ReplicaStatus* const first =
      names_first && app.state == AppState::kFailed ? first_failure(app, &first_role) : nullptr;
  std::vector<Group> groups;
  std::map<std::pair<std::string, std::string>, std::size_t> group_of;  // by role and text
  for (const AppEvent& event : reader_.read(app)) {
    if (!is_failure(event) || (filter_ && !filter_(event.role, event.replica))) continue;
    if (event.kind == AppEvent::Kind::kReplicaEnded && first != nullptr &&
        event.replica == first->id && event.role == first_role->role)
      continue;
    std::string text = event_text(event, limit_of(event.role));
    const auto [found, is_new] = group_of.try_emplace({event.role, text}, groups.size());
    if (is_new) groups.push_back({event.role, std::move(text), {}});
    groups[found->second].replicas.push_back(event.replica);
  }
  for (Group& group : groups) {
    std::sort(group.replicas.begin(), group.replicas.end());
    say(LogLevel::kWarning, replica_names(group.role, group.replicas) + " " + group.text);
  }
}

const RetryLimit* FailureLines::limit_of(const std::string& role) {
  if (!limits_) {
    limits_.emplace();
    if (const std::optional<AppDef> app = invocation_.runner().describe(handle_)) {
      for (const Role& each : app->roles)
        limits_->emplace(each.name, RetryLimit{each.max_retries, each.retry_policy});
    }
  }
  const auto found = limits_->find(role);
  return found == limits_->end() ? nullptr : &found->second;
}

}  // namespace slipway::cli
