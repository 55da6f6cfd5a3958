// Checks of apps with an owner.
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "sdk/check/checks/groups.hpp"
#include "sdk/check/checks/marked_processes.hpp"
#include "sdk/check/checks/sleeper.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::check {

namespace {

// Plays the owner of an app with a pair of stream sockets: schedule gets fd(), and the owner ends
// when this process closes the other socket.
class Owner {
 public:
  explicit Owner(const SchedulerUnderTest& scheduler) {
    if ((scheduler.table().flags & SLIPWAY_SCHEDULER_FOREGROUND_BY_DEFAULT) == 0)
      throw Inconclusive("its apps do not belong to a process");
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      throw Inconclusive("cannot create a pair of sockets");
    given_.reset(ends[0]);
    kept_.reset(ends[1]);
  }
  int fd() const { return given_.get(); }
  void end() { kept_.reset(); }
  /// Returns whether the process has the socket of fd() open.
  bool is_open_in(pid_t pid) const {
    struct stat own {
    }, other{};
    ::fstat(fd(), &own);
    std::error_code ignored;
    const std::string directory = "/proc/" + std::to_string(pid) + "/fd";
    for (const auto& link : std::filesystem::directory_iterator(directory, ignored)) {
      if (::stat(link.path().c_str(), &other) == 0 && other.st_dev == own.st_dev &&
          other.st_ino == own.st_ino)
        return true;
    }
    return false;
  }

 private:
  OwnedFd given_, kept_;
};

void app_owner_ends(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  Owner owner(scheduler);
  const std::string id = submit_sleeper(scheduler, owner.fd());
  owner.end();
  const SeenApp end = scheduler.wait_for_end(id, "when its owner did");
  require(end.state == SLIPWAY_STATE_CANCELLED,
          "an app whose owner ended is " + state_name(end.state));
}

void app_owner_descriptor(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  const Owner owner(scheduler);
  const std::string mark = trial.directory;
  AppDef app = scheduler.sleeper();
  mark_processes(app, mark);
  const std::string id = scheduler.submit(app, owner.fd());
  std::vector<pid_t> replicas;
  scheduler.wait(id, [&](const SeenApp& seen) {
    replicas = marked_processes(mark);
    return !replicas.empty() || is_terminal_state(seen.state);
  });
  // The program that starts the replica's program may not have closed its descriptors yet.
  const auto start = std::chrono::steady_clock::now();
  const auto holder = [&]() -> pid_t {
    for (const pid_t pid : replicas)
      if (owner.is_open_in(pid)) return pid;
    return 0;
  };
  pid_t found = holder();
  while (found != 0 && milliseconds_since(start) < patience_ms(trial)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    found = holder();
  }
  scheduler.end(id);
  if (replicas.empty()) throw Inconclusive("its replicas do not run on this machine");
  require(found == 0, "a replica has owner_fd open");
}

}  // namespace

std::vector<Check> app_owner_checks() {
  constexpr const char* kKind = SLIPWAY_KIND_SCHEDULER;
  return {
      {"app.owner",
       kKind,
       Needs::kApp,
       "an app is cancelled when its owner process ends (SLIPWAY_SCHEDULE_FOREGROUND)",
       "watch owner_fd for end-of-file, in the process that outlives schedule",
       &app_owner_ends,
       {"app.cancel"}},
      {"app.owner_fd",
       kKind,
       Needs::kApp,
       "replicas do not inherit owner_fd (slipway_schedule_opts in abi/scheduler.h)",
       "duplicate it with F_DUPFD_CLOEXEC, or close it before the program of a replica starts",
       &app_owner_descriptor,
       {"app.owner"}},
  };
}

}  // namespace slipway::check
