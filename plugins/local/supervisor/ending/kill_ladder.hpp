// How running replicas, and everything they have started, are made to end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_set>

#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/recovering/foreign_replicas.hpp"
#include "plugins/local/supervisor/timing/alarm.hpp"

namespace slipway::local {

/// SIGTERM, a time of grace, SIGKILL; never to a pid that was reaped. Not thread safe.
class KillLadder {
 public:
  KillLadder(Replicas& replicas, ForeignReplicas& foreign, ReplicaCgroups& cgroups)
      : replicas_(replicas), foreign_(foreign), cgroups_(cgroups) {}

  /// When there is something to send; kNever while nothing is being ended.
  std::int64_t next_due() const { return killing_ ? kNever : std::min(due_ns_, strays_due_ns_); }
  /// Sends what is due at `now_ns`.
  void on_time(std::int64_t now_ns);

  /// SIGTERM and SIGCONT to the process group of every running replica; and to every descendant
  /// outside of these groups in a moment, when most of those in which to look for them have ended.
  void terminate();
  /// The latter now. Each hears it once.
  void terminate_strays();
  /// kill_all() in `ms` milliseconds (of CLOCK_BOOTTIME), at once when 0. Replaces an earlier time.
  void arm(std::int64_t ms);
  /// SIGKILL to all of them now. From then on killing() is true.
  void kill_all();
  bool killing() const { return killing_; }
  /// The time of grace runs.
  bool in_grace() const { return !killing_ && due_ns_ != kNever; }
  /// SIGKILL to our children that are no replicas: what was orphaned since the last look.
  void kill_own_strays();
  /// Sends `signal` to the process group of one running replica. Returns whether a process got it.
  bool signal_one(std::uint32_t index, int signal);
  /// Sends `signal` to the process groups of running replicas. Bit i of `chosen` stands for replica
  /// `from` + i; returns the replicas that got the signal in the same form. A replica that ends
  /// because of it is judged like any other.
  std::uint64_t signal_chosen(int signal, std::uint32_t from, std::uint64_t chosen);
  /// SIGKILL to what the replica that led session `pid` leaves behind in it. It has ended and was
  /// not reaped yet, so that the number is still its own.
  void kill_session(std::int32_t pid);

 private:
  void signal_groups(int signal);
  /// Whether a signal to the groups of the replicas reaches `pid`.
  bool is_in_replica_group(std::int32_t pid) const;

  Replicas& replicas_;
  ForeignReplicas& foreign_;
  ReplicaCgroups& cgroups_;
  std::int64_t due_ns_ = kNever;
  std::int64_t strays_due_ns_ = kNever;
  std::unordered_set<std::int32_t> told_;  // strays that were sent SIGTERM
  bool killing_ = false;
};

}  // namespace slipway::local
