// Ends running replicas and everything that they have started, or single replicas while the app
// continues.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/recovering/orphans.hpp"
#include "plugins/local/supervisor/timing/due_queue.hpp"

namespace slipway::local {

/// Sends SIGTERM, waits for the grace time, and sends SIGKILL; never to a pid that was reaped. Once
/// kill_all() has run, everything is being killed. A stray is a process of the app that is not a
/// replica. Not thread safe.
class KillLadder {
 public:
  /// All must outlive this.
  KillLadder(AppFiles& files, Replicas& replicas, Orphans& orphans, ReplicaCgroups& cgroups)
      : files_(files), replicas_(replicas), orphans_(orphans), cgroups_(cgroups) {}

  /// Returns when the next signal is due; kNever if none is.
  std::int64_t next_due();
  /// Sends the signals that are due at `now_ns`.
  void on_time(std::int64_t now_ns);

  /// Begins to stop one running replica: sends SIGTERM and SIGCONT to its process group and, after
  /// the grace time of its role, SIGKILL. Without grace time, sends SIGKILL at once. A successor
  /// begins again.
  void stop_one(std::uint32_t index);

  /// Sends SIGTERM and SIGCONT to the process group of every running replica, and to every stray a
  /// moment later, when fewer processes are left to scan.
  void terminate();
  /// Sends SIGTERM and SIGCONT to the strays now, once to each. Strays that are no descendants of
  /// this process get SIGTERM alone, at each call.
  void terminate_strays();
  /// Plans kill_all() in `ms` milliseconds of CLOCK_BOOTTIME, unless it is planned for an earlier
  /// time. Zero kills at once. With kGraceOfRoles, plans SIGKILL for the running replicas of each
  /// role after the grace time of the role, and kill_all() after the longest one.
  void arm(std::int64_t ms);
  /// Returns after how many milliseconds arm(grace_ms) calls kill_all().
  std::int64_t time_of(std::int64_t grace_ms) const;
  /// Sends SIGKILL to all replicas and strays now.
  void kill_all();
  bool is_killing() const { return is_killing_; }
  /// Returns whether kill_all() is planned and has not run.
  bool in_grace() const { return !is_killing_ && due_ns_ != kNever; }
  /// Sends SIGKILL to the children that are not replicas: strays whose parents have ended.
  void kill_own_strays();
  /// Sends `signal` to the process group of one running replica. Returns whether a process got it.
  bool signal_one(std::uint32_t index, int signal);
  /// Sends `signal` to the process groups of running replicas. Bit i of `chosen` stands for replica
  /// `from` + i; returns the replicas that got the signal in the same form. A replica that ends
  /// because of it is judged like any other.
  std::uint64_t signal_chosen(int signal, std::uint32_t from, std::uint64_t chosen);
  /// Sends SIGKILL to the processes that the ended replica `pid` has left in its process session.
  /// The caller reaps the replica afterwards, so the pid is still its own.
  void kill_session(std::int32_t pid);

 private:
  const Due* first_kill();
  std::int64_t grace_of(std::uint32_t role) const;
  std::int64_t longest_grace() const;
  void kill_after_own_grace(std::int64_t longest_ms);
  void signal_groups(int signal);
  /// Returns whether a signal to the groups of the replicas reaches `pid`.
  bool is_in_replica_group(std::int32_t pid) const;

  AppFiles& files_;
  Replicas& replicas_;
  Orphans& orphans_;
  ReplicaCgroups& cgroups_;
  DueQueue kills_;                                      // SIGKILLs of single replicas
  std::int64_t due_ns_ = kNever;                        // of kill_all()
  std::int64_t strays_due_ns_ = kNever;                 // of terminate_strays()
  std::unordered_set<std::int32_t> terminated_strays_;  // strays that were sent SIGTERM
  bool is_killing_ = false;
};

}  // namespace slipway::local
