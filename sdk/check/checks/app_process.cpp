// The check that calls of a scheduler leave the host's process and its children alone.
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>
#include <string>

#include "sdk/check/checks/groups.hpp"
#include "sdk/check/checks/process_state.hpp"
#include "sdk/check/checks/sleeper.hpp"
#include "sdk/check/host/list_calls.hpp"
#include "sdk/check/host/log_calls.hpp"
#include "sdk/check/host/subscription.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::check {

namespace {

// A child process of the host that has ended, and that only the host may wait for.
class EndedChild {
 public:
  EndedChild() : pid_(::fork()) {
    if (pid_ < 0) throw Inconclusive("cannot create a child process");
    if (pid_ == 0) ::_exit(kExitCode);
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT);
  }
  void require_unreaped() const {
    int status = 0;
    require(::waitpid(pid_, &status, 0) == pid_ && WEXITSTATUS(status) == kExitCode,
            "it waited for a child process of the host",
            "wait only for your own children, by their pids; never waitpid(-1)");
  }

 private:
  static constexpr int kExitCode = 7;
  pid_t pid_;
};

std::set<int> open_descriptors() {
  constexpr int kMost = 1024;  // the usual limit of open files
  std::set<int> out;
  for (int fd = 0; fd < kMost; ++fd)
    if (::fcntl(fd, F_GETFD) >= 0) out.insert(fd);
  return out;
}

void require_close_on_exec(const std::set<int>& before) {
  for (const int fd : open_descriptors()) {
    if (before.count(fd) != 0 || (::fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0) continue;
    char target[200];
    const std::string link = "/proc/self/fd/" + std::to_string(fd);
    const ssize_t size = ::readlink(link.c_str(), target, sizeof target);
    throw Broken("it opened a descriptor without O_CLOEXEC: " +
                     std::string(target, size > 0 ? static_cast<std::size_t>(size) : 0),
                 "open every descriptor with O_CLOEXEC, SOCK_CLOEXEC and so on: programs that the "
                 "host starts would inherit it");
  }
}

// A pipe of the host whose reader waits until every process has closed the end for writing.
class HostPipe {
 public:
  HostPipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw Inconclusive("cannot create a pipe");
    read_.reset(ends[0]);
    write_.reset(ends[1]);
  }
  void require_closed(const Trial& trial) {
    write_.reset();
    pollfd one{read_.get(), POLLIN, 0};
    require(::poll(&one, 1, static_cast<int>(patience_ms(trial))) == 1,
            "a process that it started keeps a descriptor of the host open",
            "a process that outlives the call closes all descriptors that it does not need, or "
            "executes a program: `slipway run | cat` would not end otherwise");
  }

 private:
  OwnedFd read_, write_;
};

void app_process(const Trial& trial) {
  const ProcessState state;
  const EndedChild child;
  HostPipe pipe;
  const std::set<int> descriptors = open_descriptors();
  {
    const SchedulerUnderTest scheduler(trial);
    Sleeper app(scheduler);
    list(scheduler, abi::sized<slipway_list_query>());
    if (scheduler.has(&slipway_scheduler_vtbl::log_open)) {
      OpenLogs logs(scheduler, app.id(), {.follow = true});
      OpenLogs::Bytes bytes;
      logs.next(10, bytes);
      require_close_on_exec(descriptors);
    }
    {
      const Subscription events(scheduler, app.id());
      if (events) {
        scheduler.step("events_drain");
        (void)events.drain();
      }
      require_close_on_exec(descriptors);
    }
    pipe.require_closed(trial);
    app.end();
    if (scheduler.has(&slipway_scheduler_vtbl::delete_app)) scheduler.delete_app(app.id());
  }
  state.require_unchanged();
  child.require_unreaped();
  if (trial.options.fork) require_silence("a call");
}

}  // namespace

std::vector<Check> app_process_checks() {
  return {
      {"app.process",
       SLIPWAY_KIND_SCHEDULER,
       Needs::kApp,
       "the process belongs to the host: calls leave its state, children, descriptors and output "
       "alone (abi/base.h)",
       "change nothing in the process, and use host->log",
       &app_process,
       {"app.cancel", "load.process_state"}},
  };
}

}  // namespace slipway::check
