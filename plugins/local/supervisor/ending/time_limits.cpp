#include "plugins/local/supervisor/ending/time_limits.hpp"

namespace slipway::local {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;

}  // namespace

void TimeLimits::watch(std::uint32_t index) {
  const RoleRules& rules = files_.roles()[files_.role_of(index)].rules;
  const std::int64_t limit = rules.timeout_ms.value_or(files_.plan().rules.timeout_ms) * kNsPerMs;
  // A service runs for as long as the work needs it.
  if (limit == 0 || replicas_.is_service(index)) return;
  const std::int64_t since = files_.state().tail(index).window_from_ns.load();
  limits_.push({since + limit, index, replicas_.attempt(index)});
}

const Due* TimeLimits::first() {
  return limits_.first([this](const Due& due) {
    return replicas_.is_running(due.index) && replicas_.attempt(due.index) == due.attempt;
  });
}

std::int64_t TimeLimits::next_due() {
  const Due* due = first();
  return due != nullptr ? due->due_ns : kNever;
}

std::uint32_t TimeLimits::take_due(std::int64_t now_ns) {
  const Due* due = first();
  if (due == nullptr || due->due_ns > now_ns) return kNoReplica;
  const std::uint32_t index = due->index;
  limits_.pop();
  return index;
}

std::int64_t TimeLimits::app_due() const {
  const std::int64_t limit = files_.plan().rules.app_timeout_ms * kNsPerMs;
  const std::int64_t since = files_.state().header().started_boot_ns.load();
  return limit == 0 || since == 0 || replicas_.work_is_done() ? kNever : since + limit;
}

}  // namespace slipway::local
