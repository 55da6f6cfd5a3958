// The life of the app's replicas as their records tell it, and the counts that follow from it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/logs/combined_merger.hpp"
#include "plugins/local/supervisor/record/app_files.hpp"
#include "plugins/local/supervisor/record/pid_table.hpp"
#include "plugins/local/supervisor/record/rounds.hpp"
#include "plugins/local/supervisor/spawning/replica_cgroups.hpp"

namespace slipway::local {

/// Every change of a record by the supervisor goes through here: facts first, the word last, then
/// the sequence number and a line in the event log. Not thread safe.
class Replicas {
 public:
  /// Counts what `files` holds; starts no merger when the log directory is gone or combined.log is
  /// not wanted. All must outlive this.
  Replicas(AppFiles& files, Rounds& rounds, ReplicaCgroups& cgroups);

  std::uint32_t count() const { return count_; }
  /// Replicas that have not ended (pending ones included).
  std::uint32_t open() const { return open_; }
  /// Replicas that run, as far as this supervisor knows.
  std::uint32_t running() const { return running_; }
  /// Replicas of a role that have failed for good.
  std::uint32_t failed_in(std::uint32_t role) const { return roles_[role].failed; }
  /// Replicas of a role, or of all, that still run though they are to be started again.
  std::uint32_t leaving(std::uint32_t role) const { return roles_[role].leaving; }
  std::uint32_t leaving() const;
  RecordState state(std::uint32_t index) const;
  std::int32_t pid(std::uint32_t index) const;
  std::uint32_t attempt(std::uint32_t index) const;
  /// Index of the running replica with that pid, or PidTable::kNone.
  std::uint32_t find(std::int32_t pid) const { return pids_.find(pid); }

  /// A replica runs as `pid`: just started, or found by a successor (`adopted`).
  void runs(std::uint32_t index, std::int32_t pid, bool adopted);
  /// It ended with wait status `status`. Must be called before the process is reaped, so that no
  /// instant of death loses the status. Its combined log is complete when this returns. SUCCEEDED;
  /// or CANCELLED when the app is being stopped; or PENDING when it is being started again; else
  /// its failure awaits a verdict.
  void ended(std::uint32_t index, std::int32_t status);
  /// It is gone, and nobody knows how it ended. The same.
  void lost(std::uint32_t index);
  /// The same for all that run.
  void lose_running();
  /// It runs for too long. Recorded before it is stopped.
  void timed_out(std::uint32_t index);
  /// Its probe has found it ready; or it was not ready in time, recorded before it is stopped.
  void ready(std::uint32_t index);
  void unready(std::uint32_t index);
  /// Whether its probe has found it ready in its last attempt.
  bool is_ready(std::uint32_t index) const {
    return (files_.state().record(index).flags.load() & kReady) != 0;
  }

  /// Failures that await a verdict, oldest first; the caller empties it.
  std::vector<std::uint32_t>& undecided() { return undecided_; }
  /// The verdicts on a replica in kEnded.
  void fail(std::uint32_t index);
  void retry(std::uint32_t index, std::int64_t due_ns);
  /// Takes replica `index` into the round that was ordered: PENDING, unless it runs. Then it is
  /// leaving, and comes along when it has ended. True when it is leaving and was not before: it has
  /// to be stopped.
  bool take_along(std::uint32_t index);

  /// PENDING replica `index` waited for what can no longer come.
  void dependency_failed(std::uint32_t index);
  void spawn_failed(std::uint32_t index, std::int32_t error);
  /// All that are pending become CANCELLED.
  void cancel_pending();
  /// All that have not ended become FAILED, lost (after a reboot).
  void all_lost();

  template <typename F>
  void for_each_running(F each) const {
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (runs_now(i)) each(i, pid(i));
    }
  }
  bool runs_now(std::uint32_t index) const {
    return state(index) == RecordState::kRunning && pids_.find(pid(index)) == index;
  }

  /// Writes into the journal again what has ended: the last lines of a predecessor may be missing.
  void tell_ends();

  /// Copies what stray processes wrote after their replica had ended, when there were any, and what
  /// is left at all.
  void complete_logs(bool had_strays);
  /// Reports that the logs are not complete, once for each failure of the merger: in the journal
  /// and, unless the app has a message, in its message.
  void report_log_faults();
  CombinedMerger* merger() { return merger_.get(); }

 private:
  struct RoleCounts {
    std::uint32_t failed = 0;
    std::uint32_t leaving = 0;
  };
  void set_state(std::uint32_t index, RecordState state, std::int32_t pid);
  void record_end(std::uint32_t index, Reason reason, std::uint32_t flags);
  void conclude(std::uint32_t index, RecordState state);
  void after_end(std::uint32_t index, Reason reason, bool succeeded, std::uint32_t flags);
  void keep_attempt(std::uint32_t index, State state);
  void wait_again(std::uint32_t index, State how_it_ended);
  void tell(std::uint32_t index, const char* what);
  void tell_end(std::uint32_t index);
  void merge(std::uint32_t index);
  /// Where a replica's error file is: `path` below the directory `dir_fd`.
  struct ErrorFile {
    int dir_fd = -1;
    std::string path;
  };
  bool has_error_file(std::uint32_t index, ErrorFile& file, bool none_in_logs) const;
  std::uint32_t error_file_flag(std::uint32_t index, bool none_in_logs) const;

  AppFiles& files_;
  Rounds& rounds_;
  ReplicaCgroups& cgroups_;
  std::uint32_t count_;
  std::uint32_t open_ = 0;
  std::uint32_t running_ = 0;
  std::vector<RoleCounts> roles_;
  std::vector<bool> leaving_;  // by index; empty as long as nothing was started again
  std::vector<std::uint32_t> undecided_;
  PidTable pids_;
  std::unique_ptr<CombinedMerger> merger_;
  std::string line_;            // of tell()
  std::string reported_fault_;  // the last failure of the merger that was reported
};

}  // namespace slipway::local
