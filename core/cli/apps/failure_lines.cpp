#include "core/cli/apps/failure_lines.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/cli/terminal/diagnostics.hpp"
#include "core/status/outcome.hpp"

namespace slipway::cli {

namespace {

/// Replicas of a role that failed in the same way.
struct Group {
  std::string role;
  std::string text;
  std::vector<std::int32_t> replicas;
};

/// Returns whether every replica has ended, but the app has not: its end follows at once.
bool is_ending(const Description& app) {
  const auto has_ended = [](const ReplicaStatus& replica) { return is_terminal(replica.state); };
  return !is_over(app) &&
         std::all_of(app.roles.begin(), app.roles.end(), [&](const RoleStatus& role) {
           return !role.replicas.empty() &&
                  std::all_of(role.replicas.begin(), role.replicas.end(), has_ended);
         });
}

}  // namespace

FailureLines::FailureLines(Invocation& invocation, AppHandle handle, AtEnd at_end,
                           ReplicaFilter filter)
    : limits_(invocation, std::move(handle)), at_end_(at_end), filter_(std::move(filter)) {}

void FailureLines::print_new(const Description& app) {
  const bool names_first = at_end_ == AtEnd::kNamesFirst;
  // If the app fails, the command reports its first failure at the end. Only the description of the
  // ended app shows whether it fails, so this function waits for that description.
  if (names_first && is_ending(app)) return;
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
    std::string text = event_text(event, limits_.of(event.role));
    const auto [found, is_new] = group_of.try_emplace({event.role, text}, groups.size());
    if (is_new) groups.push_back({event.role, std::move(text), {}});
    groups[found->second].replicas.push_back(event.replica);
  }
  for (Group& group : groups) {
    std::sort(group.replicas.begin(), group.replicas.end());
    say(LogLevel::kWarning, replica_names(group.role, group.replicas) + " " + group.text);
  }
}

}  // namespace slipway::cli
