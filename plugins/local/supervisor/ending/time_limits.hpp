// Time limits of replicas and of the app.
#pragma once

#include <cstdint>

#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/timing/due_queue.hpp"

namespace slipway::local {

/// Reports each attempt that exceeds its limit, and reports it once. Costs nothing without limits.
/// Not thread safe.
class TimeLimits {
 public:
  /// Both must outlive this.
  TimeLimits(AppFiles& files, const Replicas& replicas) : files_(files), replicas_(replicas) {}

  /// Begins to watch replica `index`, which has run since ReplicaTail::window_from_ns.
  void watch(std::uint32_t index);
  /// Returns when the next replica exceeds its limit; kNever if none will.
  std::int64_t next_due();
  /// Returns a replica that exceeds its limit at `now_ns`, or kNoReplica.
  std::uint32_t take_due(std::int64_t now_ns);

  /// Returns when the app exceeds its limit; kNever if it has none, has not begun, or has only
  /// services left.
  std::int64_t app_due() const;

 private:
  const Due* first();

  AppFiles& files_;
  const Replicas& replicas_;
  DueQueue limits_;
};

}  // namespace slipway::local
