#include "plugins/local/supervisor/warden.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <exception>
#include <iterator>
#include <new>
#include <string>

#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/helper_process.hpp"
#include "plugins/local/supervisor/ending/end_command.hpp"
#include "plugins/local/supervisor/processes/process_tree.hpp"
#include "plugins/local/supervisor/recovering/abandon.hpp"

namespace slipway::local {
namespace {

/// Calls supervise(), and turns its exceptions into an answer to the command and an exit status.
int supervise_or_report(SupervisorStart start) {
  // A copy, because supervise() closes its own.
  OwnedFd ack(start.ack ? ::fcntl(start.ack.get(), F_DUPFD_CLOEXEC, 0) : -1);
  const auto refuse = [&](const std::string& why) {
    if (ack) write_all(ack.get(), why);
    // If no descriptor was left for the copy, this process cannot answer. The status
    // kSupervisorFailed then makes the warden, which still has `ack`, take over and answer.
    return ack ? kSupervisorRefused : kSupervisorFailed;
  };
  try {
    return supervise(std::move(start));
  } catch (const Error& error) {
    const bool is_short = error.code() == Code::kTemporary;
    const std::string hint = error.hint().empty() ? "" : "; " + error.hint();
    return refuse((is_short ? std::string(1, kShortageByte) : "") + error.message() + hint);
  } catch (const std::bad_alloc&) {
    return refuse(kShortageByte + std::string("no memory is left for the app's supervisor"));
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
}

/// Kills the children of this process, and those that it inherits when their parents end, until
/// none is left. Leaves children that it may not signal, such as `sudo`.
void kill_descendants() {
  for (;;) {
    const auto children = direct_children();
    const auto denied = std::count_if(children.begin(), children.end(), [](std::int32_t pid) {
      return ::kill(pid, SIGKILL) != 0 && errno == EPERM;
    });
    if (denied != 0 && denied == std::ssize(children)) return;
    if (::waitpid(-1, nullptr, 0) < 0 && errno != EINTR) return;
  }
}

/// Starts the command of `on_end` once the app has ended. A supervisor whose warden lives does not
/// start it, because a successor would kill a child of its predecessor; an app that has ended gets
/// no successor.
void launch_end_command(int dir_fd, int log_dir_fd, const LaunchPlan& plan) {
  if (plan.rules.on_end.empty()) return;
  try {
    AppFiles files(dir_fd, log_dir_fd, plan);
    start_end_command(files);
  } catch (const std::exception&) {
    // The record is missing or damaged. The app has ended all the same.
  }
}

}  // namespace

int run_warden(SupervisorStart start) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const LaunchPlan& plan = *start.plan;
  const int dir_fd = start.app_dir_fd;
  const int log_dir_fd = start.log_dir_fd;
  const pid_t supervisor = ::fork();
  if (supervisor == 0) return supervise_or_report(std::move(start));
  if (supervisor < 0) {
    write_all(start.ack.get(),
              kShortageByte + std::string("cannot start the app's supervisor: the system is short "
                                          "of processes or memory"));
    return kSupervisorRefused;
  }
  int status = 0;
  while (::waitpid(supervisor, &status, 0) < 0 && errno == EINTR) {
  }
  int outcome = WIFEXITED(status) ? WEXITSTATUS(status) : kSupervisorFailed;
  if (outcome == kSupervisorRefused) return outcome;
  if (outcome != kSupervisorDone) {
    start.mode = SupervisorMode::kTakeOver;
    outcome = supervise_or_report(std::move(start));
  }
  if (outcome == kSupervisorDone) {
    launch_end_command(dir_fd, log_dir_fd, plan);
    return outcome;
  }
  // No process supervises the app any more, so none of its processes may continue.
  kill_descendants();
  try {
    abandon_app(dir_fd, "both supervisors of the app failed, and its processes were killed");
  } catch (const std::exception&) {
    // The next command that finds the app without a supervisor repairs its record.
  }
  return outcome;
}

}  // namespace slipway::local
