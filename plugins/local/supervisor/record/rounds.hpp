// Restarts of the app and of its roles, as the record has them.
#pragma once

#include <cstdint>

#include "plugins/local/supervisor/record/app_files.hpp"

namespace slipway::local {

/// One growing number orders a restart: StateHeader::app_round for the app, role_round of its first
/// record for a role. Every attempt belongs to a round, and an attempt of an earlier round than the
/// ordered one is ended and repeated. So a successor sees which part of a restart is left.
///
/// Not thread safe. The caller holds the app's lock.
class Rounds {
 public:
  explicit Rounds(AppFiles& files) : files_(files) {}

  /// Whether the last attempt of replica `index` is of an earlier round than the ordered one.
  bool is_old(std::uint32_t index) const;
  /// Whether a restart has ever included the replica.
  bool was_repeated(std::uint32_t index) const;
  /// The number of starts of the replica in its present round.
  std::uint32_t attempts_in_round(std::uint32_t index) const;
  /// The number of restarts of the app, or of a role alone.
  std::uint32_t app_restarts() const;
  std::uint32_t role_restarts(std::uint32_t role) const;

  /// Orders a restart with a single store. Its replicas start at `due_ns` of CLOCK_BOOTTIME or
  /// later.
  void order_app(std::int64_t due_ns);
  void order_role(std::uint32_t role, std::int64_t due_ns);

  /// Whether the app is being restarted and processes of the round before may still run. Until
  /// mark_cleared() nothing may start.
  bool awaits_clearing() const;
  /// Records that the processes of the round before have ended.
  void mark_cleared();

  /// Makes the next attempt of replica `index` part of the ordered round and due at its time. If
  /// the replica is not PENDING, that takes effect when it becomes so.
  void move_on(std::uint32_t index);

 private:
  std::uint32_t ordered_round(std::uint32_t index) const;
  ReplicaRecord first_of(std::uint32_t role) const;

  AppFiles& files_;
};

}  // namespace slipway::local
