// slipway-local-supervisor run|recover <record>: the helper that engine/helper_process.cpp starts.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugins/local/engine/control_socket.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/foreign_record.hpp"
#include "plugins/local/engine/helper_process.hpp"
#include "plugins/local/engine/journal_reader.hpp"
#include "plugins/local/engine/machine_identity.hpp"
#include "plugins/local/engine/machine_leases.hpp"
#include "plugins/local/engine/state_store.hpp"
#include "plugins/local/supervisor/processes/app_mark.hpp"
#include "plugins/local/supervisor/record/app_files.hpp"
#include "plugins/local/supervisor/recovering/abandon.hpp"
#include "plugins/local/supervisor/spawning/raw_syscall.hpp"
#include "plugins/local/supervisor/spawning/replica_spawn.hpp"
#include "plugins/local/supervisor/warden.hpp"
#include "sdk/support/ownership.hpp"

namespace slipway::local {
namespace {

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

/// Returns whether descriptor kHelperLockFd is the directory `dir_fd`, which the lock is on.
bool has_lock(int dir_fd) {
  struct stat inherited {};
  struct stat named {};
  return ::fstat(kHelperLockFd, &inherited) == 0 && ::fstat(dir_fd, &named) == 0 &&
         is_same_file(inherited, named);
}

/// The descriptors that the command handed over, besides lock and acknowledgement.
struct Inherited {
  OwnedFd owner;
  OwnedFd logs;
  std::vector<OwnedFd> leases;  ///< with consecutive numbers
};

/// Takes descriptor `fd` if the command handed one over. Replicas do not inherit it.
OwnedFd take_inherited(int fd) { return OwnedFd(::fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 ? fd : -1); }

/// Takes all descriptors that the command handed over. Must come before this process opens a file,
/// which could get a number at which the command put none.
Inherited take_all_inherited() {
  Inherited out{take_inherited(kHelperOwnerFd), take_inherited(kHelperLogsFd), {}};
  for (int fd = kHelperLeaseFd;; ++fd) {
    OwnedFd lease = take_inherited(fd);
    if (!lease) return out;
    out.leases.push_back(std::move(lease));
  }
}

/// Refuses to begin: sends the command `why` and, if errno is not 0, its text.
int refuse(std::string_view why) {
  std::string text = is_shortage(errno) ? std::string(1, kShortageByte) : "";
  text += why;
  if (errno != 0) text += std::string(": ") + std::strerror(errno);
  // Without the pipe, a person has started the helper.
  write_all(is_open(kHelperAckFd) ? kHelperAckFd : STDERR_FILENO, text);
  return kSupervisorRefused;
}

/// Sends the error with its hint. Sends a temporary error like a shortage, after which the command
/// may try again.
int refuse(const Error& error) {
  errno = 0;
  std::string text = error.code() == Code::kTemporary ? std::string(1, kShortageByte) : "";
  text += error.message();
  if (!error.hint().empty()) text += "; " + error.hint();
  return refuse(text);
}

/// Returns whether this process may open enough files to supervise an app and to find its
/// processes: a process that it cannot open would seem to be gone. The kernel gives the lowest free
/// number, so the number of a new descriptor shows how many are in use.
bool may_open_enough() {
  // Descriptors that a successor needs beside the open ones: about 15 of its own, and 8 to read
  // /proc (orphans.cpp).
  constexpr rlim_t kMore = 23;
  const OwnedFd next(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  rlimit limit{};
  if (!next || ::getrlimit(RLIMIT_NOFILE, &limit) != 0) return false;
  return static_cast<rlim_t>(next.get()) + kMore <= limit.rlim_max;
}

/// Ends an app whose record is damaged. In three cases it ends nothing and only answers the
/// command: in mode kRun, if the journal or the state file is of another version, and if no
/// descriptor is left to search /proc for the app's processes.
int end_damaged(int dir_fd, SupervisorMode mode, const std::string& why) {
  try {
    check_journal_version(dir_fd);
    check_state_version(dir_fd);
    const OwnedFd spare(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    errno = 0;
    if (mode != SupervisorMode::kRecover || !spare) return refuse(why);
    if (abandon_app(dir_fd, why + "; the processes of the app were killed")) {
      write_all(kHelperAckFd, std::string_view(&kAckByte, 1));
      return kSupervisorDone;
    }
    errno = 0;
    return refuse(kKilledByte +
                  ("the processes of the app were killed, and its record is damaged: " + why));
  } catch (const Error& error) {
    return refuse(error);
  }
}

/// Takes the leases on the plan's ports again, after supervisor and warden have died. The plan does
/// not say which ports Slipway chose and which are fixed: leases the block of each port, or the
/// port alone if another app has the block. Leaves out ports that another app has leased meanwhile,
/// and ports for which no descriptor is left: the app keeps the numbers that its replicas know.
std::vector<OwnedFd> regain_port_leases(const LaunchPlan& plan) {
  std::vector<OwnedFd> leases;
  if (plan.lease_pool.empty()) return leases;
  std::map<std::uint32_t, std::set<std::uint16_t>> blocks;
  for (const LaunchGroup& group : plan.groups) {
    for (const auto& entry : group.ports)
      blocks[entry.second / kPortsPerLease * kPortsPerLease].insert(entry.second);
  }
  const auto keep = [&](OwnedFd lease) {
    if (lease) leases.push_back(std::move(lease));
  };
  try {
    for (const auto& [first, ports] : blocks) {
      if (OwnedFd block = lease_ports(plan.lease_pool, first)) {
        keep(std::move(block));
        keep(show_unused_ports(plan.lease_pool, first, ports));
      } else {
        for (const std::uint16_t port : ports) keep(lease_port(plan.lease_pool, port));
      }
    }
  } catch (const Error&) {  // no descriptor is left
  }
  return leases;
}

int run(const char* app_dir, SupervisorMode mode) {
  // Where the kernel has no close_range(), exec closes them in replicas.
  for (const int fd : {kHelperLockFd, kHelperAckFd}) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  Inherited inherited = take_all_inherited();
  errno = 0;
  const OwnedFd dir(::open(app_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!dir) return refuse(std::string("cannot open ") + app_dir);
  if (!has_lock(dir.get()) || !is_open(kHelperAckFd)) {
    errno = 0;
    return refuse("not started by Slipway");
  }
  // The record names programs. The command has made the same check, but may be of another version.
  const Distrust distrusted = distrust_record(dir.get());
  errno = 0;
  if (distrusted) return refuse("nothing is started from this record: " + distrusted.why);
  if (::chdir("/") != 0) return refuse("cannot enter /");
  keep_files_readable();

  try {
    remove_mark(app_mark(dir.get()));
  } catch (const Error& error) {
    return refuse(error);
  }

  LaunchPlan plan;
  try {
    // Supervisor and warden use this copy, whatever happens to the file.
    plan = load_plan(dir.get());
    if (!is_this_machine(plan.machine)) {
      errno = 0;
      return refuse("the app runs on " + plan.machine.host + ", another machine");
    }
    // Throws if the file is damaged.
    const StateStore state(dir.get());
    if (mode == SupervisorMode::kRecover && is_terminal(state.app_state())) {
      write_all(kHelperAckFd, std::string_view(&kAckByte, 1));
      return kSupervisorDone;
    }
  } catch (const OtherVersion& error) {
    return refuse(error);
  } catch (const Error& error) {
    // A record that another user wrote must neither start nor end anything.
    if (error.code() == Code::kDenied || error.code() == Code::kTemporary) return refuse(error);
    return end_damaged(dir.get(), mode, error.message());
  }

  // Supervisor and warden keep these open until the app ends.
  const std::vector<OwnedFd> leases =
      mode == SupervisorMode::kRecover ? regain_port_leases(plan) : std::move(inherited.leases);
  const OwnedFd logs = inherited.logs ? std::move(inherited.logs) : open_log_dir(dir.get(), plan);
  std::optional<GpuLease> gpus;
  try {
    gpus.emplace(plan);
  } catch (const Error& error) {
    return refuse(error);
  }
  SupervisorStart start;
  start.gpus = &*gpus;
  start.mode = mode;
  start.both_died = mode == SupervisorMode::kRecover;
  start.plan = &plan;
  start.app_dir_fd = dir.get();
  start.ack = OwnedFd(kHelperAckFd);
  start.log_dir_fd = logs.get();
  start.owner = std::move(inherited.owner);
  const bool has_room = mode != SupervisorMode::kRecover || may_open_enough();
  errno = 0;
  if (!has_room) {
    return refuse(kShortageByte +
                  std::string("too few files may be open (ulimit -Hn) to take the app over"));
  }
  // Listen before the fork: if the supervisor dies, the warden still has its queue of connections.
  start.listener = listen_control(dir.get());
  if (!start.listener) return refuse(std::string("cannot listen in ") + app_dir);
  start.socket_inode = socket_inode(dir.get());
  // The kernel closes the descriptors of a dying process from the highest down. With the lock above
  // the socket, no client finds the lock held without a listening socket.
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
  if (verb != "run" && verb != "recover") return EX_USAGE;
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  // posix_spawn() leaves the two internal signals of the C library ignored in its children, and
  // replicas would inherit that.
  for (const int signal : {32, 33}) slipway::local::reset_signal(signal);
  // The command waits until this process ends, so the warden runs in a child.
  const pid_t warden = fork();
  if (warden < 0) _exit(slipway::local::refuse("cannot start the app's supervisor"));
  if (warden != 0) _exit(0);
  // _exit(): destructors must not run in two processes.
  _exit(slipway::local::run(argv[2],
                            verb == "run" ? SupervisorMode::kRun : SupervisorMode::kRecover));
}
