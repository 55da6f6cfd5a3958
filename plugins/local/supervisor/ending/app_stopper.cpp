#include "plugins/local/supervisor/ending/app_stopper.hpp"

namespace slipway::local {

void AppStopper::stop(StopCause cause, std::string_view message) {
  stop(cause, kGraceOfRoles, Pace::kGrace, message);
}

void AppStopper::cancel(std::int64_t grace_ms, std::string_view message) {
  stop(StopCause::kCancel, grace_ms, Pace::kGrace, message);
}

void AppStopper::cancel_now(std::string_view message) {
  stop(StopCause::kCancel, 0, Pace::kNow, message);
}

void AppStopper::stop(StopCause cause, std::int64_t grace_ms, Pace pace, std::string_view message) {
  if (replicas_.unfinished() == 0) return;
  // A replica that cannot start stops the app, also if it is the last one of the work.
  if (replicas_.work_is_done() && cause != StopCause::kSpawnFailed) {
    // The state of the app is decided. Its services, which are being stopped with the grace times
    // of their roles, may end sooner.
    if (pace == Pace::kNow) return ladder_.kill_all();
    if (grace_ms >= 0) ladder_.arm(grace_ms);
    return;
  }
  StateHeader& header = files_.edit_header();
  const bool is_first = files_.state().stop_cause() == StopCause::kNone;
  const bool is_sooner =
      is_first || ladder_.time_of(grace_ms) < ladder_.time_of(header.stop_grace_ms.load());
  if (is_sooner) header.stop_grace_ms.store(grace_ms);
  if (pace == Pace::kNow) header.kill_now.store(1);
  if (is_first) begin(cause, message);
  // Publishes the stop before the first signal, so that a successor does the same.
  files_.finish_edits();
  if (ladder_.is_killing()) return;
  if (pace == Pace::kNow) return ladder_.kill_all();
  if (is_first) ladder_.terminate();
  if (is_sooner) ladder_.arm(grace_ms);
}

/// Records the stop, and cancels the replicas that have not started.
void AppStopper::begin(StopCause cause, std::string_view message) {
  pause_.clear_message();
  readiness_.stop();
  if (replicas_.merger() != nullptr) replicas_.merger()->expect_ends();
  if (!message.empty()) files_.set_message(message);
  files_.edit_header().stop_cause.store(static_cast<std::uint32_t>(cause),
                                        std::memory_order_release);
  journal_stop();
  replicas_.cancel_pending(Reason::kCancelled);
}

void AppStopper::resume() {
  // Unlike begin(), ends no probes: during a stop the event loop never starts one.
  if (replicas_.merger() != nullptr) replicas_.merger()->expect_ends();
  replicas_.cancel_pending(Reason::kCancelled);
  const StateHeader& header = files_.state().header();
  if (header.kill_now.load() != 0) return ladder_.kill_all();
  ladder_.terminate();
  ladder_.arm(header.stop_grace_ms.load());
}

void AppStopper::journal_stop() {
  const bool is_cancel = files_.state().stop_cause() == StopCause::kCancel;
  files_.events().add(files_.changed(), is_cancel ? "app CANCELLING" : "app STOPPING");
}

}  // namespace slipway::local
