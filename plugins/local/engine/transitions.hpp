// Which state may follow which: the tables of plugins/local/docs/processes.md. Every writer of a
// state asserts them.
#pragma once

#include <string>

#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/engine/state_layout.hpp"
#include "slipway/error.hpp"

namespace slipway::local {

constexpr bool may_follow(RecordState from, RecordState to) {
  using S = RecordState;
  switch (from) {
    case S::kPending: return to == S::kStarting || to == S::kFailed || to == S::kCancelled;
    // The child claims it, or it is taken back.
    case S::kStarting: return to == S::kRunning || to == S::kPending || to == S::kFailed;
    // To PENDING: it claimed its record and could not become its program.
    case S::kRunning: return to != S::kStarting && to != S::kRunning;
    case S::kEnded: return to == S::kPending || to == S::kFailed;
    // Ends are taken back by a restart of the role or the app alone.
    case S::kSucceeded:
    case S::kFailed: return to == S::kPending;
    case S::kCancelled: return false;
  }
  return false;
}

/// SUBMITTED, RUNNING, then one end for ever.
constexpr bool may_follow(AppState from, AppState to) {
  if (from == AppState::kSubmitted) return to == AppState::kRunning || is_terminal(to);
  return from == AppState::kRunning && is_terminal(to);
}

/// Throws kInternal when `to` may not follow `from`: the record must not be made worse.
template <typename S>
void require_transition(S from, S to) {
  if (may_follow(from, to)) return;
  throw Error(Code::kInternal, "illegal change of state from " +
                                   std::to_string(static_cast<int>(from)) + " to " +
                                   std::to_string(static_cast<int>(to)));
}

}  // namespace slipway::local
