// The tables of plugins/local/docs/processes.md: which state may follow which. Every writer of a
// state checks them.
#pragma once

#include <string>

#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/engine/state_layout.hpp"
#include "slipway/error.hpp"

namespace slipway::local {

/// Returns whether a replica in state `from` may change to `to`.
constexpr bool may_follow(RecordState from, RecordState to) {
  using enum RecordState;
  switch (from) {
    case kPending: return to == kStarting || to == kFailed || to == kCancelled;
    // The child claims the replica, or the supervisor takes it back.
    case kStarting: return to == kRunning || to == kPending || to == kFailed;
    // To PENDING: the child claimed the replica, but could not execute its program.
    case kRunning: return to != kStarting && to != kRunning;
    case kEnded: return to == kPending || to == kFailed;
    // Only a restart of the role or the app leaves these states.
    case kSucceeded:
    case kFailed: return to == kPending;
    case kCancelled: return false;
  }
  return false;
}

/// Returns whether an app in state `from` may change to `to`.
constexpr bool may_follow(AppState from, AppState to) {
  if (from == AppState::kSubmitted) return to == AppState::kRunning || is_terminal(to);
  return from == AppState::kRunning && is_terminal(to);
}

/// Throws kInternal if `to` may not follow `from`, before such a change reaches the record.
template <typename State>
void require_transition(State from, State to) {
  if (may_follow(from, to)) return;
  throw Error(Code::kInternal, "illegal change of state from " +
                                   std::to_string(static_cast<int>(from)) + " to " +
                                   std::to_string(static_cast<int>(to)));
}

}  // namespace slipway::local
