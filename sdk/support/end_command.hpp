// The command of the run option `on_end`, which notifies people or programs that an app has ended.
#pragma once

#include <cstdint>
#include <string>

#include "slipway/app_state.hpp"
#include "slipway/dict.hpp"

namespace slipway {

/// The facts about the app that the command gets. Times are nanoseconds since the epoch; 0:
/// unknown.
struct EndedApp {
  std::string app_id;
  std::string name;
  std::string scheduler;
  std::string session;
  AppState state = AppState::kUnknown;
  std::string message;  ///< empty: none
  std::int64_t submitted_ns = 0;
  std::int64_t started_ns = 0;
  std::int64_t finished_ns = 0;
  std::string log_dir;  ///< empty: the scheduler has none
};

/// The command and its surroundings.
struct EndCommand {
  std::string text;  ///< for sh
  std::string cwd;   ///< an absolute path
  /// "NAME=value" of the command that started the app. If that command ran in a replica or an
  /// `on_end` command of another app, start_end_command() leaves out the variables about that app.
  StrList environment;
};

/// Starts the command in a Unix session of its own and does not wait for it. The command gets one
/// line of JSON with keys of `status --json` and `log_dir` on stdin; its output goes to `log_fd`,
/// or nowhere for -1. Throws Error kUnavailable if the command cannot be started.
void start_end_command(const EndedApp& app, EndCommand command, int log_fd);

}  // namespace slipway
