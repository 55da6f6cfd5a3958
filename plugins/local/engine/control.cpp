#include "plugins/local/engine/control.hpp"

#include <unistd.h>

#include "plugins/local/engine/app_lock.hpp"
#include "plugins/local/engine/control_protocol.hpp"
#include "plugins/local/engine/control_socket.hpp"
#include "plugins/local/engine/foreign_record.hpp"
#include "plugins/local/engine/helper_process.hpp"
#include "plugins/local/engine/state_file.hpp"
#include "plugins/local/engine/supervisor_connection.hpp"
#include "slipway/error.hpp"

namespace slipway::local {
namespace {

/// How many successors are tried, one after the other.
constexpr int kSuccessors = 3;
/// How often a request is made of an app whose supervisors die over it. A process that is dying
/// keeps lock and socket for a moment, so that the first of them may be lost twice.
constexpr int kRequests = 6;
/// How long a supervisor may take to put its file right, for a command that only reads.
constexpr int kMendMs = 2000;

/// Removes the socket that a supervisor left when it was killed in its very last steps.
void remove_dead_socket(int dir_fd) {
  if (socket_inode(dir_fd) == 0) return;
  const OwnedFd lock = try_lock(dir_fd);
  if (!lock) return;
  ::unlinkat(dir_fd, kSocketName, 0);
  ::unlinkat(dir_fd, kSocketDraftName, 0);
}

/// Starts a successor, which inherits `lock`.
void recover(const AppRef& app, HelperPath helper_path, int lock) {
  for (int left = kSuccessors;;) {
    try {
      return start_helper({helper_path(), "recover", app_dir_path(app), lock});
    } catch (const Error& error) {
      // One that was killed says nothing about the next.
      if (error.code() != Code::kTemporary || --left == 0) throw;
    }
  }
}

}  // namespace

bool supervisor_alive(const AppRef& app) {
  const OwnedFd dir = open_app_dir(app);
  return dir && lock_is_held(dir.get());
}

void repair_record(const AppRef& app, HelperPath helper_path) {
  const OwnedFd dir = open_app_dir(app);
  if (!dir) return;
  // A supervisor that answers has compared all of its file with what it knows. One that ends
  // meanwhile leaves the record to a successor.
  if (lock_is_held(dir.get()) &&
      ask_supervisor(app, dir.get(), kMendRequest, kMendMs) == Answer::kAccepted)
    return;
  require_own_record(app, dir.get());
  if (const OwnedFd lock = try_lock(dir.get())) recover(app, helper_path, lock.get());
}

std::optional<AppSummary> settle(const AppRef& app, HelperPath helper_path) {
  const AppDir dir = open_app_dir_to_read(app);
  if (!dir) return std::nullopt;
  // A record of another user is shown as it is. Taking it over would run that user's programs.
  if (!dir.distrust.empty()) return read_summary(app, dir.get());
  try {
    const AppSummary summary = read_summary(app, dir.get());
    // Neither the lock nor the processes of another machine can be seen from here.
    if (summary.foreign != Foreign::kNo) return summary;
    if (is_terminal(summary.state)) {
      remove_dead_socket(dir.get());
      return summary;
    }
    if (lock_is_held(dir.get())) return summary;
  } catch (const Error&) {
    try {
      repair_record(app, helper_path);
    } catch (const Error&) {
      // The damage says better what is wrong, unless it is gone.
    }
    return read_summary(app);
  }
  const OwnedFd lock = try_lock(dir.get());
  // A supervisor may have finished the app between the look and the lock.
  if (lock && !is_terminal(read_summary(app, dir.get()).state))
    recover(app, helper_path, lock.get());
  return read_summary(app);
}

std::optional<AppSnapshot> read_repaired(const AppRef& app, HelperPath helper_path, Detail detail) {
  try {
    return read_app(app, detail);
  } catch (const Error& damage) {
    if (damage.code() != Code::kInvalid) throw;
  }
  try {
    repair_record(app, helper_path);
  } catch (const Error&) {
    // As in settle().
  }
  return read_app(app, detail);
}

void cancel_app(const AppRef& app, HelperPath helper_path,
                std::optional<std::chrono::milliseconds> grace, bool now) {
  const std::string request =
      now ? std::string(kKillRequest)
          : std::string(kCancelWord) + std::to_string(grace ? grace->count() : -1) + '\n';
  for (int left = kRequests; left > 0; --left) {
    const OwnedFd dir = open_app_dir(app);
    if (dir && ask_supervisor(app, dir.get(), request) == Answer::kAccepted) return;
    const auto summary = settle(app, helper_path);
    if (!summary)
      throw Error(Code::kNotFound, "there is no app " + app.app_id + " in session " + app.session);
    if (is_terminal(summary->state)) return;
    require_own(app, *summary);
  }
  throw Error(Code::kTemporary, "every supervisor of the app " + app.app_id + " died", "try again");
}

}  // namespace slipway::local
