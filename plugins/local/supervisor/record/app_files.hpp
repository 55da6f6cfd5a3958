// Everything of one app that its supervisor has open.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugins/local/engine/attempt_file.hpp"
#include "plugins/local/engine/journal.hpp"
#include "plugins/local/engine/plan.hpp"
#include "plugins/local/engine/state_store.hpp"
#include "plugins/local/supervisor/record/state_guard.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// A role of the app: its records and its rules.
struct RoleSpan {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  RoleRules rules;
};

/// Opens the log directory of the app whose directory is `dir_fd`. Empty when it is gone, or is not
/// the caller's own.
OwnedFd open_log_dir(int dir_fd, const LaunchPlan& plan);

/// Plan, state and logs of the app whose directories are `dir_fd` and `log_dir_fd` (borrowed).
class AppFiles {
 public:
  /// `plan` must outlive this. Throws Error when the record is damaged or plan and state do not
  /// belong together.
  AppFiles(int dir_fd, int log_dir_fd, const LaunchPlan& plan);

  int dir_fd() const { return dir_fd_; }
  /// The app's log directory; -1 when it is gone.
  int log_dir_fd() const { return log_dir_fd_; }
  const LaunchPlan& plan() const { return plan_; }
  /// The environment entry of all that the app starts (app_mark.hpp).
  const std::string& mark() const { return mark_; }
  StateStore& state() { return state_; }
  EventLog& events() { return events_; }
  AttemptLog& attempts() { return attempts_; }

  /// The header, or the record of replica `index`, for writing: marked as being changed until
  /// changed() or keep(). Damage that others did to it meanwhile is repaired first.
  StateHeader& edit_header();
  ReplicaRecord edit(std::uint32_t index);
  /// Sets the app's message for people.
  void set_message(std::string_view text);
  /// Returns how often this object has set the message.
  std::uint64_t message_changes() const { return message_changes_; }

  /// Replica `index` (none: the app alone) has changed: seals it, counts the change and copies it
  /// for the guard. Returns the sequence number.
  std::uint64_t changed(std::uint32_t index);
  std::uint64_t changed();
  /// As changed(), for what readers need not notice.
  void keep(std::uint32_t index);
  void keep_header();
  /// keep_header() if the header is being changed; keep() for a record that a predecessor was
  /// changing when it was killed.
  void finish_edits();
  void finish_edits(std::uint32_t index);

  /// Repairs `state.bin` as StateGuard::repair() does, and notes a repair in the journal.
  void repair(StateDepth depth);
  StateGuard& guard() { return guard_; }

  const std::vector<RoleSpan>& roles() const { return roles_; }
  /// Position in roles() of the role of replica `index`.
  std::uint32_t role_of(std::uint32_t index) const;

  /// Group of replica `index` (its record's index), and its number within the role.
  std::pair<const LaunchGroup*, std::int32_t> locate(std::uint32_t index) const;

 private:
  int dir_fd_;
  std::uint64_t message_changes_ = 0;
  int log_dir_fd_;
  const LaunchPlan& plan_;
  std::string mark_;
  StateStore state_;
  StateGuard guard_;
  EventLog events_;
  AttemptLog attempts_;
  std::vector<OwnedFd> held_files_;          // the plan's, locked
  std::vector<std::uint32_t> group_starts_;  // first record of each group
  std::vector<RoleSpan> roles_;
};

}  // namespace slipway::local
