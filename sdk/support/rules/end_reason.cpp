#include "sdk/support/rules/end_reason.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace slipway::rules {
namespace {

// In the order of Reason.
constexpr std::array<std::string_view, 12> kReasons = {
    "",     "exit",         "signal",     "oom",       "timeout",   "cancelled",
    "lost", "spawn_failed", "dependency", "restarted", "not_ready", "work_done"};

}  // namespace

std::string_view reason_name(Reason reason) {
  const auto index = static_cast<std::size_t>(reason);
  return index < kReasons.size() ? kReasons[index] : kReasons.front();
}

Reason reason_of(std::string_view name) {
  const auto* const at = std::find(kReasons.begin(), kReasons.end(), name);
  return at == kReasons.end() ? Reason::kNone : static_cast<Reason>(at - kReasons.begin());
}

}  // namespace slipway::rules
