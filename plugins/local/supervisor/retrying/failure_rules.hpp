// What follows from a failure: the app's and its roles' rules applied to what the record says.
#pragma once

#include <cstdint>

#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/record/rounds.hpp"

namespace slipway::local {

enum class Verdict {
  kForGood,       ///< the replica stays FAILED
  kRetryReplica,  ///< it is started again, alone
  kRestartRole,
  kRestartApp,
};

/// Reads records, changes nothing, and says the same as long as the record is the same: a successor
/// that asks again decides alike. Not thread safe.
class FailureRules {
 public:
  FailureRules(AppFiles& files, const Replicas& replicas, const Rounds& rounds)
      : files_(files), replicas_(replicas), rounds_(rounds) {}

  /// For a replica in kEnded.
  Verdict judge(std::uint32_t index) const;

  /// When what `verdict` (not kForGood) orders for it may start, in nanoseconds of CLOCK_BOOTTIME.
  std::int64_t due_after(std::uint32_t index, Verdict verdict) const;

  /// Whether so many replicas of a role have failed for good that the app cannot succeed.
  bool role_has_failed(std::uint32_t role) const;
  bool any_role_has_failed() const;

 private:
  /// Whether the role may lose `failures` replicas.
  bool tolerates(std::uint32_t role, std::uint32_t failures) const;

  AppFiles& files_;
  const Replicas& replicas_;
  const Rounds& rounds_;
};

}  // namespace slipway::local
