// How long replicas, and the app, may still run.
#pragma once

#include <cstdint>

#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/timing/due_queue.hpp"

namespace slipway::local {

/// Not thread safe. Costs nothing where the rules set no limit.
class TimeLimits {
 public:
  TimeLimits(AppFiles& files, const Replicas& replicas) : files_(files), replicas_(replicas) {}

  /// Replica `index` runs (its record says since when).
  void watch(std::uint32_t index);
  /// When the next replica has run for too long; kNever when none will.
  std::int64_t next_due();
  /// A replica that has run for too long at `now_ns`, each one once; PidTable::kNone: no more.
  std::uint32_t take_due(std::int64_t now_ns);

  /// When the app has run for too long; kNever when it may run on, or has not begun.
  std::int64_t app_due() const;

 private:
  const Due* first();

  AppFiles& files_;
  const Replicas& replicas_;
  DueQueue limits_;
};

}  // namespace slipway::local
