#include "plugins/local/supervisor/retrying/failure_rules.hpp"

#include "plugins/local/engine/clocks.hpp"

namespace slipway::local {
namespace {

// A failure of a replica with more attempts is final: the word has 24 bits for the attempt. The
// numbers above are for restarts that other replicas cause.
constexpr std::uint32_t kMostAttempts = 0xFFFFF0;

}  // namespace

Verdict FailureRules::judge(std::uint32_t index) const {
  if (word_attempt(files_.state().head(index).word.load()) > kMostAttempts)
    return Verdict::kForGood;
  const RoleRules& rules = files_.roles()[files_.role_of(index)].rules;
  const RetryFilter& retried = rules.retry_on ? *rules.retry_on : files_.plan().rules.retry_on;
  return verdict_on(failure_of(index), rules, retried);
}

std::int64_t FailureRules::due_after(std::uint32_t index, Verdict verdict) const {
  const std::int64_t now = boottime_ns();
  const auto random = static_cast<std::uint64_t>(now) + index;
  const RoleRules& rules = files_.roles()[files_.role_of(index)].rules;
  const Backoff& backoff = rules.backoff ? *rules.backoff : files_.plan().rules.backoff;
  return now + pause_ms(failure_of(index), verdict, backoff, random) * 1'000'000;
}

Failure FailureRules::failure_of(std::uint32_t index) const {
  const std::uint32_t role = files_.role_of(index);
  const ReplicaEntry entry = files_.state().entry(index);
  Failure out;
  out.reason = static_cast<Reason>(entry.head.reason.load());
  out.wait_status = entry.head.wait_status.load();
  out.work_is_done = replicas_.work_is_done();
  out.attempts_in_round = rounds_.attempts_in_round(index);
  out.role_restarts = rounds_.role_restarts(role);
  out.app_restarts = rounds_.app_restarts();
  out.replicas = files_.roles()[role].count;
  out.failed_for_good = replicas_.failed_in(role);
  return out;
}

bool FailureRules::tolerates(std::uint32_t role, std::uint32_t failures) const {
  const RoleSpan& span = files_.roles()[role];
  return rules::tolerates(span.rules, span.count, failures);
}

bool FailureRules::role_has_failed(std::uint32_t role) const {
  return !tolerates(role, replicas_.failed_in(role));
}

bool FailureRules::work_has_failed() const {
  for (std::uint32_t role = 0; role < files_.roles().size(); ++role) {
    if (!files_.roles()[role].rules.service && role_has_failed(role)) return true;
  }
  return false;
}

}  // namespace slipway::local
