// The states that may follow each other, as in plugins/local/docs/processes.md.
//
// In the supervisor, the classes Replicas and Starter and app_end.cpp check each of their changes.
// The start of a replica, which is a compare-and-swap with its child, and the repair of a damaged
// record do not.
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
    // To FAILED: the program could not be started, a role that the replica waits for cannot reach
    // the required state any more, the machine was restarted, or the helper ends the app because
    // its record is damaged.
    case kPending: return to == kStarting || to == kFailed || to == kCancelled;
    // The child claims the replica, or the supervisor takes it back. To FAILED: the machine was
    // restarted, or the record is damaged.
    case kStarting: return to == kRunning || to == kPending || to == kFailed;
    // To PENDING: the replica's role or app is restarted, or the child could not execute the
    // program after its claim.
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

/// Throws kInternal if `to` may not follow `from`. The caller checks before it changes the record.
template <typename State>
void require_transition(State from, State to) {
  if (may_follow(from, to)) return;
  throw Error(Code::kInternal, "illegal change of state from " + std::string(to_string(from)) +
                                   " to " + std::string(to_string(to)));
}

}  // namespace slipway::local
