// Which replica is started next.
#pragma once

#include <cstdint>
#include <vector>

#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/record/rounds.hpp"
#include "plugins/local/supervisor/starting/dependencies.hpp"
#include "plugins/local/supervisor/timing/due_queue.hpp"

namespace slipway::local {

/// Those that wait for another attempt whose time has come, the longest waiting first; then those
/// that were never started, in their order. Never more at a time than max_parallel, and none whose
/// role waits for another. Not thread safe.
class StartQueue {
 public:
  StartQueue(AppFiles& files, const Replicas& replicas, const Rounds& rounds,
             const Dependencies& dependencies)
      : files_(files), replicas_(replicas), rounds_(rounds), dependencies_(dependencies) {}

  /// PENDING replica `index` waits for another attempt, until its record's time.
  void wait(std::uint32_t index);
  /// Who may start now, while `under_way` are being started; PidTable::kNone: nobody. The same one
  /// until it is no longer PENDING. One that is PENDING again after it was not has to wait().
  std::uint32_t next(std::uint32_t under_way = 0);
  /// When somebody may start; kNever when that depends on something else than time, or is now.
  std::int64_t next_due();

 private:
  void release_held();
  std::uint32_t next_fresh();
  const Due* first_waiting();
  bool full(std::uint32_t under_way) const;

  AppFiles& files_;
  const Replicas& replicas_;
  const Rounds& rounds_;
  const Dependencies& dependencies_;
  DueQueue waiting_;
  std::vector<std::uint32_t> held_;   // wait for other roles before they wait for their time
  std::uint32_t first_role_ = 0;      // no role before this one has a fresh replica
  std::vector<std::uint32_t> fresh_;  // by role: none before this one waits for its first start
};

}  // namespace slipway::local
