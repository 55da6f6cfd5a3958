// How a supervisor ends: the app's final state, and the files that tell of it.
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "plugins/local/engine/control_socket.hpp"
#include "plugins/local/engine/transitions.hpp"
#include "plugins/local/supervisor/record/success_file.hpp"
#include "plugins/local/supervisor/supervisor_loop.hpp"
#include "plugins/local/supervisor/timing/end_time.hpp"

namespace slipway::local {

/// Adds to the app's message that a file of its end could not be written.
void Supervisor::tell_missing(const std::string& file, int error) {
  const StateHeader& header = files_.state().header();
  std::string message(header.message, header.message_length.load());
  if (!message.empty()) message += "; ";
  files_.set_message(message + file +
                     " is missing, it could not be written: " + std::strerror(error));
}

int Supervisor::finish() {
  repair(StateDepth::kAll);
  cgroups_.remove_all();
  replicas_.complete_logs(had_strays_ || start_.mode != SupervisorMode::kRun);
  if (replicas_.merger() != nullptr) log_faults_.tell(replicas_.merger()->error());
  const StopCause cause = files_.state().stop_cause();
  const bool failed = cause != StopCause::kNone || rules_.any_role_has_failed();
  const State final_state = cause == StopCause::kCancel ? State::kCancelled
                            : failed                    ? State::kFailed
                                                        : State::kSucceeded;
  // A successor may find the end told, and only what follows it left to do.
  if (files_.state().app_state() != final_state)
    require_transition(files_.state().app_state(), final_state);
  const StateHeader& before = files_.state().header();
  // A predecessor may have recorded the end already: then that is when the app ended.
  const std::int64_t recorded = before.finished_ns.load();
  const std::int64_t now =
      recorded != 0 ? recorded : end_time(before.started_ns.load(), before.started_boot_ns.load());
  if (!write_success_file(files_, final_state, now))
    tell_missing(files_.plan().log_dir + "/SUCCESS", errno);
  if (!write_result_file(files_, final_state, now)) tell_missing("result.json", errno);
  StateHeader& header = files_.edit_header();
  header.finished_ns.store(now);
  header.app_state.store(static_cast<std::uint32_t>(final_state), std::memory_order_release);
  files_.events().add(files_.changed(), std::string("app ") + std::string(state_name(final_state)),
                      now);
  publish();
  // The state first: a client that reads the end of its stream looks there.
  control_.close_all();
  ::unlinkat(files_.dir_fd(), kSocketName, 0);
  sync_result_file(files_);
  return kSupervisorDone;
}

}  // namespace slipway::local
