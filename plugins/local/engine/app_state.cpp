#include "plugins/local/engine/app_state.hpp"

#include <array>

namespace slipway::local {

std::string_view state_name(State state) {
  static constexpr std::array<std::string_view, 8> kNames = {"UNSUBMITTED", "SUBMITTED", "PENDING",
                                                             "RUNNING",     "SUCCEEDED", "FAILED",
                                                             "CANCELLED",   "UNKNOWN"};
  const auto index = static_cast<std::size_t>(state);
  return index < kNames.size() ? kNames[index] : kNames.back();
}

std::string_view reason_name(Reason reason) {
  static constexpr std::array<std::string_view, 11> kNames = {
      "",     "exit",         "signal",     "oom",       "timeout",  "cancelled",
      "lost", "spawn_failed", "dependency", "restarted", "not_ready"};
  const auto index = static_cast<std::size_t>(reason);
  return index < kNames.size() ? kNames[index] : kNames.front();
}

}  // namespace slipway::local
