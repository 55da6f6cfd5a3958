// The states of an app and of a replica, with TorchX's values, names and meaning.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "slipway/abi/app.h"

namespace slipway {

enum class AppState : std::int32_t {
  kUnsubmitted = SLIPWAY_STATE_UNSUBMITTED,
  kSubmitted = SLIPWAY_STATE_SUBMITTED,
  kPending = SLIPWAY_STATE_PENDING,
  kRunning = SLIPWAY_STATE_RUNNING,
  kSucceeded = SLIPWAY_STATE_SUCCEEDED,
  kFailed = SLIPWAY_STATE_FAILED,
  kCancelled = SLIPWAY_STATE_CANCELLED,
  kUnknown = SLIPWAY_STATE_UNKNOWN,
};

inline constexpr std::array<std::string_view, 8> kAppStateNames = {
    "UNSUBMITTED", "SUBMITTED", "PENDING",   "RUNNING",
    "SUCCEEDED",   "FAILED",    "CANCELLED", "UNKNOWN"};

/// The state's name; a value from the future or from a broken plug-in is UNKNOWN (R8).
constexpr std::string_view to_string(AppState state) {
  const auto index = static_cast<std::size_t>(static_cast<std::int32_t>(state));
  return index < kAppStateNames.size() ? kAppStateNames[index] : kAppStateNames.back();
}

/// The state with this number, or nothing.
constexpr std::optional<AppState> app_state_from(std::int64_t value) {
  if (value < 0 || value >= static_cast<std::int64_t>(kAppStateNames.size())) return std::nullopt;
  return static_cast<AppState>(value);
}

/// The state of this name (exact, upper case), or nothing.
constexpr std::optional<AppState> app_state_from(std::string_view name) {
  for (std::size_t i = 0; i < kAppStateNames.size(); ++i) {
    if (kAppStateNames[i] == name) return static_cast<AppState>(static_cast<std::int32_t>(i));
  }
  return std::nullopt;
}

/// SUCCEEDED, FAILED or CANCELLED: it will not change again.
constexpr bool is_terminal(AppState state) {
  return state == AppState::kSucceeded || state == AppState::kFailed ||
         state == AppState::kCancelled;
}

/// Terminal or RUNNING: it is past its start.
constexpr bool is_started(AppState state) {
  return is_terminal(state) || state == AppState::kRunning;
}

}  // namespace slipway
