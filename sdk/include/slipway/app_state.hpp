// The states of apps and replicas, with the values, names and meanings of TorchX.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "slipway/abi/app.h"

namespace slipway {
inline namespace sdk_1_0 {

/// The state of an app or replica; see SLIPWAY_STATE_* in abi/app.h.
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

/// The names of the states; the index is the value of the state.
inline constexpr std::array<std::string_view, 8> kAppStateNames = {
    "UNSUBMITTED", "SUBMITTED", "PENDING",   "RUNNING",
    "SUCCEEDED",   "FAILED",    "CANCELLED", "UNKNOWN"};

/// Returns the state's name, or UNKNOWN for a value of a later version (rule R8 in abi/base.h).
constexpr std::string_view to_string(AppState state) {
  const auto index = static_cast<std::size_t>(static_cast<std::int32_t>(state));
  return index < kAppStateNames.size() ? kAppStateNames[index] : kAppStateNames.back();
}

/// Returns the state with this number, or nullopt.
constexpr std::optional<AppState> app_state_from(std::int64_t value) {
  if (value < 0 || value >= static_cast<std::int64_t>(kAppStateNames.size())) return std::nullopt;
  return static_cast<AppState>(value);
}

/// Returns the state with this name, in upper case, or nullopt.
constexpr std::optional<AppState> app_state_from(std::string_view name) {
  for (std::size_t i = 0; i < kAppStateNames.size(); ++i) {
    if (kAppStateNames[i] == name) return static_cast<AppState>(static_cast<std::int32_t>(i));
  }
  return std::nullopt;
}

/// Returns whether the state is final: SUCCEEDED, FAILED or CANCELLED.
constexpr bool is_terminal(AppState state) {
  return state == AppState::kSucceeded || state == AppState::kFailed ||
         state == AppState::kCancelled;
}

/// Returns whether the state is RUNNING or terminal, like TorchX's `is_started`. An app that was
/// cancelled before it ran also counts as started.
constexpr bool is_started(AppState state) {
  return is_terminal(state) || state == AppState::kRunning;
}

}  // namespace sdk_1_0
}  // namespace slipway
