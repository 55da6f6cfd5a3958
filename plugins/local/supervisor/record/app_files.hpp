// The open files of an app.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugins/local/engine/journal.hpp"
#include "plugins/local/engine/plan.hpp"
#include "plugins/local/engine/state_store.hpp"
#include "plugins/local/supervisor/record/state_guard.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// The entries of a role, and its rules.
struct RoleSpan {
  std::uint32_t first = 0;  ///< index of the first entry
  std::uint32_t count = 0;  ///< number of entries
  RoleRules rules;
};

/// Opens the log directory of the app whose record is `dir_fd`. Empty if the directory cannot be
/// opened, for example because it is gone, or if another user may have made or changed it
/// (distrust() of sdk/support/ownership.hpp).
OwnedFd open_log_dir(int dir_fd, const LaunchPlan& plan);

/// Launch plan, state file, journal and log directory of an app. Every change of the state goes
/// through this: edit() gives the supervisor's copy for writing, and changed(), save() or promise()
/// publish it in the file. Not thread safe.
class AppFiles {
 public:
  /// Opens the record `dir_fd` and uses the log directory `log_dir_fd` (both borrowed; -1: there is
  /// none). `plan` must outlive this. Throws Error if the record is damaged, or if plan and state
  /// file are of different apps.
  AppFiles(int dir_fd, int log_dir_fd, const LaunchPlan& plan);

  int dir_fd() const { return dir_fd_; }
  /// Returns the descriptor of the log directory; -1 if open_log_dir() did not open it.
  int log_dir_fd() const { return log_dir_fd_; }
  const LaunchPlan& plan() const { return plan_; }
  /// Returns the environment entry of the app's processes (app_mark.hpp).
  const std::string& mark() const { return mark_; }
  /// Returns the supervisor's copy of the state.
  StateView& state() { return guard_.copy(); }
  /// Returns the entry in the file. Its word changes when a child claims a promise (ReplicaHead),
  /// and its cursor (combined_out, combined_err) when the merger copies. For everything else use
  /// state().
  ReplicaEntry in_file(std::uint32_t index) { return file_.entry(index); }
  EventLog& events() { return events_; }
  /// Makes room in the journal for one more attempt of every replica, if the app has retries.
  /// Returns false with errno set when the disk is full or the journal cannot be opened.
  bool reserve_attempts();
  /// Waits until the end of the app is on the disk, and gives back the room in the journal.
  void sync_end();

  /// Returns the header, or the entry of replica `index`, for writing, and marks it as being
  /// changed until it is published. Repairs the file first if another process has damaged it there.
  StateHeader& edit_header();
  ReplicaEntry edit(std::uint32_t index);
  /// Sets the app's message for people. This is an edit_header(), which the caller publishes.
  void set_message(std::string_view text);
  /// Returns how often this object has set the message.
  std::uint64_t message_changes() const { return message_changes_; }

  /// Completes a change that readers must notice, of replica `index` or of the header alone: does
  /// what save() or save_header() does, and increases and returns the sequence number.
  std::uint64_t changed(std::uint32_t index);
  std::uint64_t changed();
  /// Completes a change that readers need not notice: computes the check of the changed part
  /// (seal() in record_check.hpp), and publishes the part.
  void save(std::uint32_t index);
  void save_header();
  /// Publishes the promise in the entry of replica `index` (ReplicaHead); a child may then replace
  /// the word in the file. The entry stays marked as being changed.
  void promise(std::uint32_t index) { guard_.publish(index); }
  /// Completes an unfinished change of the header alone, or of the entry of replica `index` alone,
  /// for instance one that a predecessor left when it was killed. Does nothing if there is none.
  void finish_edits();
  void finish_edits(std::uint32_t index);

  /// Repairs `state.bin` as StateGuard::repair() does, and notes a repair in the journal.
  void repair(StateDepth depth);
  /// Releases the memory of a large state file before a wait.
  void rest();

  const std::vector<RoleSpan>& roles() const { return roles_; }
  /// Returns the position in roles() of the role of replica `index`.
  std::uint32_t role_of(std::uint32_t index) const;

  /// Returns the launch group of replica `index`, and the replica's number within its role.
  std::pair<const LaunchGroup*, std::int32_t> locate(std::uint32_t index) const;

 private:
  int dir_fd_;
  std::uint64_t message_changes_ = 0;
  int log_dir_fd_;
  const LaunchPlan& plan_;
  std::string mark_;
  StateStore file_;   // the mapped state file
  StateGuard guard_;  // has the supervisor's copy of it
  EventLog events_;
  std::vector<OwnedFd> held_files_;          // of the plan, locked
  std::vector<std::uint32_t> group_starts_;  // first entry of each group
  std::vector<RoleSpan> roles_;
  std::size_t longest_role_ = 0;  // bytes of the longest role name, for reserve_attempts()
};

}  // namespace slipway::local
