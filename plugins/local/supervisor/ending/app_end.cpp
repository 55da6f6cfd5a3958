#include "plugins/local/supervisor/ending/app_end.hpp"

#include <cerrno>
#include <cstring>
#include <string>

#include "plugins/local/engine/transitions.hpp"
#include "plugins/local/supervisor/record/success_file.hpp"
#include "plugins/local/supervisor/timing/end_time.hpp"

namespace slipway::local {
namespace {

/// Adds to the app's message that `file` could not be written because of `error`.
void report_missing(AppFiles& files, const std::string& file, int error) {
  const StateHeader& header = files.state().header();
  std::string message(header.message, header.message_length.load());
  if (!message.empty()) message += "; ";
  files.set_message(message + file +
                    " is missing, it could not be written: " + std::strerror(error));
}

State final_app_state(StopCause cause, bool role_failed) {
  if (cause == StopCause::kCancel) return State::kCancelled;
  return cause != StopCause::kNone || role_failed ? State::kFailed : State::kSucceeded;
}

}  // namespace

void record_app_end(AppFiles& files, bool role_failed) {
  const State final_state = final_app_state(files.state().stop_cause(), role_failed);
  if (files.state().app_state() != final_state)
    require_transition(files.state().app_state(), final_state);
  const StateHeader& before = files.state().header();
  const std::int64_t recorded = before.finished_ns.load();
  const std::int64_t now =
      recorded != 0 ? recorded : end_time(before.started_ns.load(), before.started_boot_ns.load());
  if (!write_success_file(files, final_state, now))
    report_missing(files, files.plan().log_dir + "/SUCCESS", errno);
  StateHeader& header = files.edit_header();
  header.finished_ns.store(now);
  header.app_state.store(static_cast<std::uint32_t>(final_state), std::memory_order_release);
  files.events().add(files.changed(), std::string("app ") + std::string(to_string(final_state)),
                     now);
}

}  // namespace slipway::local
