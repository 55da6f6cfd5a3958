// Restarts of the whole app and of whole roles, as the record orders them.
#pragma once

#include <cstdint>

#include "plugins/local/supervisor/record/app_files.hpp"

namespace slipway::local {

/// A restart is one number that grows (StateHeader::app_round, or ReplicaRecord::role_round of a
/// role's first record); everything else follows from it. What a replica does belongs to a round;
/// one whose round is not the wanted one is to be ended, if it runs, and repeated. So whoever
/// supervises, from whatever instant on, does what is left to do and nothing twice.
///
/// Not thread safe; the caller holds the app's lock.
class Rounds {
 public:
  explicit Rounds(AppFiles& files) : files_(files) {}

  /// Whether replica `index` is of an earlier round than the last one that was ordered.
  bool is_old(std::uint32_t index) const;
  /// Whether any restart ever included the replica.
  bool was_repeated(std::uint32_t index) const;
  /// Starts of the replica in its present round.
  std::uint32_t attempts_in_round(std::uint32_t index) const;
  /// How often the app, or a role for itself, was started again.
  std::uint32_t app_restarts() const;
  std::uint32_t role_restarts(std::uint32_t role) const;

  /// Orders a restart; replicas do not start before `due_ns` (CLOCK_BOOTTIME). Takes effect with a
  /// single store.
  void order_app(std::int64_t due_ns);
  void order_role(std::uint32_t role, std::int64_t due_ns);

  /// Whether the app is being restarted and processes of the round before may still run. Until
  /// mark_cleared() nothing may start.
  bool awaits_clearing() const;
  /// Records that the processes of the round before have ended.
  void mark_cleared();

  /// Lets the attempts of replica `index` after its present one belong to the wanted round, and the
  /// next start wait for the round's time. For one that is not PENDING it shows once it is.
  void move_on(std::uint32_t index);

 private:
  std::uint32_t wanted(std::uint32_t index) const;
  ReplicaRecord first_of(std::uint32_t role) const;

  AppFiles& files_;
};

}  // namespace slipway::local
