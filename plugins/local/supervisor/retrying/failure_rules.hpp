// Decides what follows from a failure, by the rules of the app and its roles.
#pragma once

#include <cstdint>

#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/record/rounds.hpp"
#include "sdk/support/rules/verdict.hpp"

namespace slipway::local {

using rules::Failure;
using rules::Verdict;

/// A verdict depends on the record alone, so a successor reaches the same one. Changes nothing. Not
/// thread safe.
class FailureRules {
 public:
  /// All must outlive this.
  FailureRules(AppFiles& files, const Replicas& replicas, const Rounds& rounds)
      : files_(files), replicas_(replicas), rounds_(rounds) {}

  /// Returns the verdict on a replica in kEnded.
  Verdict judge(std::uint32_t index) const;

  /// Returns when the next start after `verdict` is due, in nanoseconds of CLOCK_BOOTTIME.
  /// `verdict` must not be kForGood.
  std::int64_t due_after(std::uint32_t index, Verdict verdict) const;

  /// Returns whether the role cannot succeed any more: too many of its replicas are FAILED.
  bool role_has_failed(std::uint32_t role) const;
  /// Returns whether any role that is not a service has failed.
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
