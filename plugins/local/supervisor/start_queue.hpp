// Which replica is started next.
#pragma once

#include <cstdint>

#include "plugins/local/supervisor/due_queue.hpp"
#include "plugins/local/supervisor/replicas.hpp"
#include "plugins/local/supervisor/rounds.hpp"

namespace slipway::local {

/// Those that wait for another attempt whose time has come, the longest waiting first; then those
/// that were never started, in their order. Never more at a time than max_parallel. Not thread safe.
class StartQueue {
 public:
  StartQueue(AppFiles& files, const Replicas& replicas, const Rounds& rounds)
      : files_(files), replicas_(replicas), rounds_(rounds) {}

  /// PENDING replica `index` waits for another attempt, until its record's time.
  void wait(std::uint32_t index);
  /// Who may start now; PidTable::kNone: nobody. The same one until it is no longer PENDING.
  std::uint32_t next();
  /// When somebody may start; kNever when that depends on something else than time, or is now.
  std::int64_t next_due();

 private:
  const Due* first_waiting();
  bool full() const;

  AppFiles& files_;
  const Replicas& replicas_;
  const Rounds& rounds_;
  DueQueue waiting_;
  std::uint32_t fresh_ = 0;  // no replica before this one waits for its first start
};

}  // namespace slipway::local
