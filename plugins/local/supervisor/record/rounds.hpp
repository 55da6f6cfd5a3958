// Restarts of the app and of its roles, as the record has them.
#pragma once

#include <cstdint>

#include "plugins/local/supervisor/record/app_files.hpp"

namespace slipway::local {

/// A round is the time between two restarts that include a replica. A restart of the app raises
/// StateHeader::app_round, one of a role raises role_round of the role's first entry; the number of
/// a replica's round is the sum of both. Every attempt belongs to a round, and an attempt of an
/// earlier round than the present one is ended and repeated. So a successor sees which part of a
/// restart is left to do.
///
/// Not thread safe. The caller holds the app's lock.
class Rounds {
 public:
  /// `files` must outlive this.
  explicit Rounds(AppFiles& files) : files_(files) {}

  /// Returns whether the last attempt of replica `index` is of an earlier round than the present
  /// one.
  bool is_old(std::uint32_t index) const;
  /// Returns whether a restart has ever included the replica.
  bool saw_restart(std::uint32_t index) const;
  /// Returns the number of starts of the replica in its present round.
  std::uint32_t attempts_in_round(std::uint32_t index) const;
  /// Returns the number of restarts of the app, or of a role alone.
  std::uint32_t app_restarts() const;
  std::uint32_t role_restarts(std::uint32_t role) const;

  /// Begins a restart: increases the round, whose replicas start at `due_ns` of CLOCK_BOOTTIME or
  /// later.
  void request_app_restart(std::int64_t due_ns);
  void request_role_restart(std::uint32_t role, std::int64_t due_ns);

  /// Returns whether the app is being restarted and processes of the round before may still run.
  /// Nothing may start until old_processes_ended() is called.
  bool awaits_old_processes() const;
  void old_processes_ended();

  /// Makes the next attempt of replica `index` part of the present round and due at the time of
  /// its restart. If the replica is not PENDING, that takes effect when it becomes so.
  void move_on(std::uint32_t index);

 private:
  std::uint32_t present_round(std::uint32_t index) const;
  ReplicaEntry first_entry(std::uint32_t role) const;

  AppFiles& files_;
};

}  // namespace slipway::local
