// The replica that starts next.
#pragma once

#include <cstdint>
#include <vector>

#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/record/rounds.hpp"
#include "plugins/local/supervisor/starting/dependencies.hpp"
#include "plugins/local/supervisor/timing/due_queue.hpp"

namespace slipway::local {

/// Chooses the replica that starts next. Replicas of services come before those of other roles.
/// Within each of these two kinds, replicas that were added and are due come first, by their time;
/// then those that were never started, in their order. A replica whose role waits for another role,
/// or that would exceed max_parallel, does not start. A retry does not wait for other roles.
/// max_parallel does not count services: work that waits for a slot may need them. Not thread safe.
class StartQueue {
 public:
  /// All must outlive this.
  StartQueue(AppFiles& files, const Replicas& replicas, const Rounds& rounds,
             const Dependencies& dependencies);

  /// Adds PENDING replica `index`, whose next attempt is due at the time in its entry.
  void add(std::uint32_t index);
  /// Returns a replica that may start now, while `under_way` starts are not finished, or
  /// kNoReplica. The replica stays in the queue until it is no longer PENDING. A replica that
  /// becomes PENDING again must be added again.
  std::uint32_t next(std::uint32_t under_way = 0);
  /// Returns the earliest time at which an added replica is due; kNever if none is. Leaves out
  /// work, but not services, if max_parallel is reached.
  std::int64_t next_due();

 private:
  /// Work is every role that is not a service.
  enum class Kind { kWorkRole, kServiceRole };
  Kind kind_of(const RoleSpan& role) const {
    return role.rules.service ? Kind::kServiceRole : Kind::kWorkRole;
  }
  DueQueue& waiting(Kind kind) {
    return kind == Kind::kServiceRole ? waiting_services_ : waiting_work_;
  }
  void recheck_blocked();
  std::uint32_t next_of(Kind kind);
  std::uint32_t next_fresh(Kind kind);
  const Due* first_waiting(Kind kind);
  bool is_full(std::uint32_t under_way) const;

  AppFiles& files_;
  const Replicas& replicas_;
  const Rounds& rounds_;
  const Dependencies& dependencies_;
  bool has_services_ = false;
  DueQueue waiting_work_;               // added replicas of work
  DueQueue waiting_services_;           // added replicas of services
  std::vector<std::uint32_t> blocked_;  // added, but their role waits for another
  // next_fresh() has passed all roles before first_role_, and in each role all replicas before the
  // one in fresh_. Those whose start has failed and will be tried again were added.
  std::uint32_t first_role_ = 0;
  std::vector<std::uint32_t> fresh_;  // by role
};

}  // namespace slipway::local
