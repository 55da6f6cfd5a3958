// slipway-local-supervisor run|recover <app directory>: started by engine/helper_process.cpp, never
// by hand.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/local/engine/control_socket.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/helper_process.hpp"
#include "plugins/local/engine/machine_identity.hpp"
#include "plugins/local/engine/other_version.hpp"
#include "plugins/local/engine/state_store.hpp"
#include "plugins/local/supervisor/abandon.hpp"
#include "plugins/local/supervisor/app_files.hpp"
#include "plugins/local/supervisor/app_mark.hpp"
#include "plugins/local/supervisor/event_reader.hpp"
#include "plugins/local/supervisor/port_lease.hpp"
#include "plugins/local/supervisor/warden.hpp"

namespace slipway::local {
namespace {

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

/// Whether descriptor kHelperLockFd is that directory, which is what the lock is on.
bool has_lock(int dir_fd) {
  struct stat inherited {};
  struct stat named {};
  return ::fstat(kHelperLockFd, &inherited) == 0 && ::fstat(dir_fd, &named) == 0 &&
         inherited.st_ino == named.st_ino && inherited.st_dev == named.st_dev;
}

/// posix_spawn leaves the C library's two internal signals ignored in what it starts, and replicas
/// would inherit that. Only the bare system call can change them.
void reset_internal_signals() {
  struct {
    void* handler;
    unsigned long flags;
    void* restorer;
    std::uint64_t mask;
  } const default_action{};
  for (const int signal : {32, 33}) {
    ::syscall(SYS_rt_sigaction, signal, &default_action, nullptr, sizeof default_action.mask);
  }
}

/// Returns the leases that the command took for the app. Replicas must not inherit them. Call this
/// before anything else is opened: their numbers follow each other, and the first free one ends them.
std::vector<OwnedFd> inherited_leases() {
  std::vector<OwnedFd> leases;
  for (int fd = kHelperLeaseFd; ::fcntl(fd, F_SETFD, FD_CLOEXEC) == 0; ++fd)
    leases.emplace_back(fd);
  return leases;
}

int refuse(std::string_view what) {
  std::string text(what);
  if (errno != 0) text += std::string(": ") + std::strerror(errno);
  write_all(is_open(kHelperAckFd) ? kHelperAckFd : 2, text);
  return kSupervisorRefused;
}

int refuse(const OtherVersion& error) {
  errno = 0;
  return refuse(error.message() + "; " + error.hint());
}

/// Ends what runs of an app whose record is damaged, unless the system is just short of descriptors
/// or the journal shows that another version of Slipway writes the record.
int give_up(int dir_fd, SupervisorMode mode, const std::string& why) {
  try {
    check_journal_version(dir_fd);
  } catch (const OtherVersion& error) {
    return refuse(error);
  }
  const OwnedFd spare(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (mode == SupervisorMode::kRecover && spare) {
    if (abandon_app(dir_fd, why + "; what ran of the app was killed")) {
      write_all(kHelperAckFd, std::string_view(&kAckByte, 1));
      return kSupervisorDone;
    }
    errno = 0;
    return refuse("the app cannot be supervised, what ran of it was killed: " + why);
  }
  errno = 0;
  return refuse(why);
}

int run(const char* app_dir, SupervisorMode mode) {
  // Open in both processes until the app ends.
  std::vector<OwnedFd> leases = inherited_leases();
  errno = 0;
  OwnedFd dir(::open(app_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!dir) return refuse(std::string("cannot open ") + app_dir);
  if (!has_lock(dir.get()) || !is_open(kHelperAckFd)) return refuse("not started by Slipway");
  if (::chdir("/") != 0) return refuse("cannot enter /");

  LaunchPlan plan;
  try {
    drop_mark(app_mark(dir.get()));
    // Now and once: whatever becomes of the files, both processes have it.
    plan = load_plan(dir.get());
    if (!same_machine(plan.machine, this_machine())) {
      errno = 0;
      return refuse("the app runs on " + plan.machine.host + ", another machine");
    }
    const StateStore whole(dir.get());
  } catch (const OtherVersion& error) {
    return refuse(error);
  } catch (const Error& error) {
    return give_up(dir.get(), mode, error.message());
  }

  if (mode == SupervisorMode::kRecover) leases = regain_port_leases(plan);
  std::optional<GpuLease> gpus;
  try {
    gpus.emplace(plan);
  } catch (const Error& error) {
    errno = 0;
    return refuse(error.message());
  }
  SupervisorStart start;
  start.gpus = &*gpus;
  start.mode = mode;
  start.both_died = mode == SupervisorMode::kRecover;
  start.plan = &plan;
  start.app_dir_fd = dir.get();
  start.ack = OwnedFd(kHelperAckFd);
  if (mode == SupervisorMode::kRun && is_open(kHelperOwnerFd) && dir.get() != kHelperOwnerFd) {
    start.owner = OwnedFd(kHelperOwnerFd);
  }
  // Listening before the fork: when the supervisor dies, its queue of connections lives on in the
  // warden.
  start.listener = listen_control(dir.get());
  if (!start.listener) return refuse(std::string("cannot listen in ") + app_dir);
  start.socket_inode = socket_inode(dir.get());
  // A dying process closes its descriptors from the highest down (so does its kernel today). With
  // the lock above the socket, nobody finds the lock held and no socket behind it.
  if (::fcntl(kHelperLockFd, F_DUPFD_CLOEXEC, start.listener.get() + 1) < 0) {
    return refuse("cannot keep the lock");
  }
  ::close(kHelperLockFd);
  return run_warden(std::move(start));
}

}  // namespace
}  // namespace slipway::local

int main(int argc, char** argv) {
  using slipway::local::SupervisorMode;
  const std::string_view verb = argc == 3 ? argv[1] : "";
  if (verb != "run" && verb != "recover") return 64;
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  // The command waits for this process only; its child belongs to nobody.
  slipway::local::reset_internal_signals();
  const pid_t warden = fork();
  if (warden != 0) _exit(warden < 0 ? 71 : 0);
  // _exit: no destructor runs twice in two processes.
  _exit(slipway::local::run(argv[2],
                            verb == "run" ? SupervisorMode::kRun : SupervisorMode::kRecover));
}
