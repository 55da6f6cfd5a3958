// Decides what follows from a failure, by the rules of the app and its roles.
#pragma once

#include <cstdint>

#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/record/rounds.hpp"
#include "sdk/support/rules/verdict.hpp"

namespace slipway::local {

using rules::Failure;
using rules::Verdict;

/// The verdict depends on the record alone, so a successor comes to the same one. Changes nothing.
/// Not thread safe.
class FailureRules {
 public:
  FailureRules(AppFiles& files, const Replicas& replicas, const Rounds& rounds)
      : files_(files), replicas_(replicas), rounds_(rounds) {}

  /// Returns the verdict on a replica in kEnded.
  Verdict judge(std::uint32_t index) const;

  /// Returns when the start that `verdict` (not kForGood) orders is due, in nanoseconds of
  /// CLOCK_BOOTTIME.
  std::int64_t due_after(std::uint32_t index, Verdict verdict) const;

  /// Returns whether so many replicas of the role, or of any role that is not a service, have
  /// failed for good that the role cannot succeed.
  bool role_has_failed(std::uint32_t role) const;
  bool work_has_failed() const;

 private:
  Failure failure_of(std::uint32_t index) const;
  /// Returns whether the role succeeds with `failures` failed replicas.
  bool tolerates(std::uint32_t role, std::uint32_t failures) const;

  AppFiles& files_;
  const Replicas& replicas_;
  const Rounds& rounds_;
};

}  // namespace slipway::local
