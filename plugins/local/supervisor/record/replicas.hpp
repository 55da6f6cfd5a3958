// The replicas of the app: their entries, and the counts that follow from the entries.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/logs/combined_merger.hpp"
#include "plugins/local/supervisor/record/app_files.hpp"
#include "plugins/local/supervisor/record/pid_table.hpp"
#include "plugins/local/supervisor/record/replica_journal.hpp"
#include "plugins/local/supervisor/record/rounds.hpp"
#include "plugins/local/supervisor/spawning/replica_cgroups.hpp"

namespace slipway::local {

/// Makes every change of a replica's state, except those of a start until it has succeeded or was
/// taken back (launcher.hpp, take_over.hpp), in this order: the facts, the word, the sequence
/// number, a line in the journal. At a retry, the line about the ended attempt reaches the file
/// before the word changes, because only the journal keeps that attempt. Not thread safe.
class Replicas {
 public:
  /// Counts the replicas in `files`. Merges no logs if the log directory is gone or the app wants
  /// no combined.log. All must outlive this.
  Replicas(AppFiles& files, Rounds& rounds, ReplicaCgroups& cgroups);

  std::uint32_t count() const { return count_; }
  /// Returns the number of replicas without a final state, also of those that wait for their start.
  std::uint32_t unfinished() const { return unfinished_; }
  /// Returns whether all replicas except those of services have a final state.
  bool work_is_done() const { return unfinished_work_ == 0; }
  bool is_service(std::uint32_t index) const {
    return files_.roles()[files_.role_of(index)].rules.service;
  }
  /// Returns the number of replicas that run, as far as this supervisor knows.
  std::uint32_t running() const { return running_; }
  /// Returns the same number without the replicas of services.
  std::uint32_t running_work() const { return running_ - running_services_; }
  /// Returns the number of replicas of a role that are FAILED.
  std::uint32_t failed_in(std::uint32_t role) const { return roles_[role].failed; }
  /// Returns the number of replicas of a role, or of the app, that still run an attempt of an
  /// earlier round (rounds.hpp).
  std::uint32_t old_running(std::uint32_t role) const { return roles_[role].old_running; }
  std::uint32_t old_running() const;
  RecordState state(std::uint32_t index) const;
  std::int32_t pid(std::uint32_t index) const;
  std::uint32_t attempt(std::uint32_t index) const;
  /// Returns the running replica with that pid, or kNoReplica.
  std::uint32_t find(std::int32_t pid) const { return pids_.find(pid); }
  bool is_running(std::uint32_t index) const {
    return state(index) == RecordState::kRunning && pids_.find(pid(index)) == index;
  }
  /// Returns whether the probe has found the replica ready in its last attempt.
  bool is_ready(std::uint32_t index) const {
    return (files_.state().head(index).flags.load() & kReady) != 0;
  }
  template <typename F>
  void for_each_running(F each) const {
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (is_running(i)) each(i, pid(i));
    }
  }

  /// Records that a replica was started as `pid`. `has_marked_logs`: its log files have marks
  /// (truncation_mark.hpp).
  void record_start(std::uint32_t index, std::int32_t pid, bool has_marked_logs);
  /// Records that a successor has taken over the running replica `pid`.
  void record_take_over(std::uint32_t index, std::int32_t pid);
  /// Records that a replica ended with the wait status `status`, and what it used. The caller reaps
  /// the process afterwards, so that no death of the supervisor loses the status. Its combined log
  /// is complete afterwards. The first of these cases decides what the replica becomes:
  /// - The app is being stopped: FAILED if the replica, or the app, ran too long, or if the replica
  ///   was not ready in time; else CANCELLED.
  /// - Only services are left: CANCELLED.
  /// - The replica is being restarted: PENDING.
  /// - It exited with 0, did not run too long and was ready in time: SUCCEEDED.
  /// - Otherwise its failure awaits a verdict.
  void record_end(std::uint32_t index, std::int32_t status, const ResourceUse& use);
  /// Records the same for a replica that has ended with an unknown exit status.
  void record_lost(std::uint32_t index);
  /// Calls record_lost() for all running replicas.
  void record_running_as_lost();
  /// Marks every unfinished replica FAILED: the machine was restarted. The reason becomes `lost`; a
  /// failure that awaits a verdict keeps its own.
  void record_all_as_lost();
  /// Records that a replica has run for too long, before it is stopped.
  void record_timeout(std::uint32_t index);
  void record_ready(std::uint32_t index);
  /// Records that a replica was not ready in time, before it is stopped.
  void record_not_ready(std::uint32_t index);

  /// Returns the replicas whose failures await a verdict, oldest first. The caller empties the
  /// list.
  std::vector<std::uint32_t>& undecided() { return undecided_; }
  /// Records the verdict that a failed replica stays FAILED.
  void record_failure(std::uint32_t index);
  /// Records the verdict that a failed replica starts again, at `due_ns` of CLOCK_BOOTTIME or
  /// later.
  void record_retry(std::uint32_t index, std::int64_t due_ns);
  /// Takes a replica into the round that a restart has begun. It becomes PENDING; a running one
  /// does so when it has ended. Returns true if it runs and the caller must stop it, once for each
  /// replica.
  bool enter_round(std::uint32_t index);

  /// Marks a PENDING replica FAILED, because a role that it waits for has failed, or has ended
  /// before it was ready.
  void record_dependency_failure(std::uint32_t index);
  /// Marks a PENDING replica FAILED, because its start failed with the errno `error`.
  void record_start_failure(std::uint32_t index, std::int32_t error);
  /// Marks all PENDING replicas CANCELLED, with this reason.
  void cancel_pending(Reason reason);
  /// Marks the replica CANCELLED with this reason, if it is PENDING.
  void cancel_if_pending(std::uint32_t index, Reason reason);

  /// Writes the ends into the journal again: the last lines of a predecessor may be missing.
  void repeat_end_lines();

  /// Copies the rest of all logs. `had_strays`: processes may have written after their replica had
  /// ended.
  void complete_logs(bool had_strays);
  /// Reports that the logs are not complete, once for each failure of the merger: in the journal
  /// and, unless the app has a message, in its message.
  void report_log_faults();
  CombinedMerger* merger() { return merger_.get(); }

 private:
  /// Numbers of replicas of a role.
  struct RoleCounts {
    std::uint32_t failed = 0;       // FAILED
    std::uint32_t old_running = 0;  // that run an attempt of an earlier round
  };
  /// The error file of a replica: `path` below the directory `dir_fd`.
  struct ErrorFile {
    int dir_fd = -1;
    std::string path;
  };
  void set_state(std::uint32_t index, RecordState state, std::int32_t pid);
  void write_facts(std::uint32_t index, Reason reason, std::uint32_t flags);
  void write_use(std::uint32_t index, const ResourceUse& use);
  void finish(std::uint32_t index, RecordState state);
  void count_unfinished(std::uint32_t index, std::int32_t change);
  void decide_end(std::uint32_t index, Reason reason, bool succeeded, std::uint32_t flags);
  void forget_running(std::uint32_t index);
  /// Clears the flags that an earlier attempt left in the entry of a PENDING replica.
  void forget_attempt(std::uint32_t index) { files_.edit(index).head.flags.fetch_and(kOfReplica); }
  LogEnds log_ends(std::uint32_t index);
  void keep_attempt(std::uint32_t index, AppState state);
  void await_next_attempt(std::uint32_t index, AppState end_of_attempt);
  /// Returns what is known about marks on log files that a predecessor opened.
  CombinedMerger::Marks marks_of_predecessor() const;
  void merge_logs(std::uint32_t index, CombinedMerger::Marks marks = CombinedMerger::Marks::kNone);
  void add_running(std::uint32_t index, std::int32_t pid, CombinedMerger::Marks marks);
  bool has_error_file(std::uint32_t index, ErrorFile& file, bool none_in_logs = false) const;
  std::uint32_t error_file_flag(std::uint32_t index, bool none_in_logs = false) const;

  AppFiles& files_;
  ReplicaJournal journal_;
  Rounds& rounds_;
  ReplicaCgroups& cgroups_;
  std::uint32_t count_;
  std::uint32_t unfinished_ = 0;
  std::uint32_t unfinished_work_ = 0;  // unfinished_ without the replicas of services
  std::uint32_t running_ = 0;
  std::uint32_t running_services_ = 0;
  std::vector<RoleCounts> roles_;
  std::vector<bool> old_running_;  // of an earlier round, by index; empty before the first restart
  std::vector<std::uint32_t> undecided_;  // whose failures await a verdict
  PidTable pids_;
  std::unique_ptr<CombinedMerger> merger_;
  std::string reported_fault_;  // the last failure of the merger that was reported
};

}  // namespace slipway::local
