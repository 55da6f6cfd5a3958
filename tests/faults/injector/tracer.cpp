#include "tests/faults/injector/tracer.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <string_view>
#include <system_error>
#include <vector>

#include "slipway/owned_fd.hpp"
#include "tests/faults/injector/system_calls.hpp"

namespace slipway::faults {
namespace {

// With PTRACE_O_TRACESYSGOOD, the kernel sets this bit in the signal of a stop at a system call.
constexpr int kSysGood = 0x80;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// Starts the command, which waits until `gate` is closed.
pid_t start_held(const std::vector<std::string>& command, OwnedFd& gate) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("pipe2");
  OwnedFd read_end(ends[0]);
  gate = OwnedFd(ends[1]);
  std::vector<char*> argv;
  for (const std::string& each : command) argv.push_back(const_cast<char*>(each.c_str()));
  argv.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid < 0) fail("fork");
  if (pid > 0) return pid;
  gate.reset();
  char byte = 0;
  while (::read(read_end.get(), &byte, 1) < 0 && errno == EINTR) {
  }
  ::execvp(argv[0], argv.data());
  ::_exit(127);
}

long register_of(pid_t pid, std::size_t offset) {
  return ::ptrace(PTRACE_PEEKUSER, pid, offset, nullptr);
}

#define SLIPWAY_REGISTER(name) offsetof(user_regs_struct, name)

/// Returns the flags of the clone, clone3, fork or vfork that `pid` is in.
std::uint64_t clone_flags(pid_t pid) {
  const long first_argument = register_of(pid, SLIPWAY_REGISTER(rdi));
  switch (register_of(pid, SLIPWAY_REGISTER(orig_rax))) {
    case SYS_clone: return static_cast<std::uint64_t>(first_argument);
    // The flags are the first member of clone_args.
    case SYS_clone3:
      return static_cast<std::uint64_t>(::ptrace(PTRACE_PEEKDATA, pid, first_argument, nullptr));
    case SYS_vfork: return CLONE_VM;
    default: return 0;
  }
}

std::string program_of(pid_t pid) {
  const std::string link = "/proc/" + std::to_string(pid) + "/exe";
  std::array<char, 4096> path{};
  const ssize_t size = ::readlink(link.c_str(), path.data(), path.size());
  return size < 0 ? std::string() : std::string(path.data(), static_cast<std::size_t>(size));
}

/// Returns `pipe`, `socket`, `event` (an eventfd) or `file`. A call without a descriptor also gets
/// one of these words.
std::string kind_of_descriptor(pid_t pid, std::uint64_t fd) {
  const std::string link = "/proc/" + std::to_string(pid) + "/fd/" + std::to_string(fd);
  constexpr std::string_view kEvent = "anon_inode:[eventfd]";
  std::array<char, kEvent.size()> target{};
  const ssize_t size = ::readlink(link.c_str(), target.data(), target.size());
  const std::string_view start(target.data(), size < 0 ? 0 : static_cast<std::size_t>(size));
  if (start.substr(0, 5) == "pipe:") return "pipe";
  if (start.substr(0, 7) == "socket:") return "socket";
  return start == kEvent ? "event" : "file";
}

/// Returns whether a call on a descriptor of this kind can return the error. A run may differ from
/// the one that listed the calls, so the n-th call may be another one.
bool can_fail(std::uint64_t number, const std::string& kind, int error) {
  const bool writes = number == SYS_write || number == SYS_writev;
  // The kernel has no error for adding to a counter in memory.
  if (writes && kind == "event") return false;
  const bool needs_disk = error == ENOSPC || error == EDQUOT || error == EIO;
  return !((writes || number == SYS_read) && needs_disk && (kind == "pipe" || kind == "socket"));
}

}  // namespace

void Tracer::run(const std::vector<std::string>& command) {
  OwnedFd gate;
  root_ = start_held(command, gate);
  constexpr long kOptions = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                            PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;
  if (::ptrace(PTRACE_SEIZE, root_, nullptr, kOptions) != 0) {
    const int error = errno;
    ::kill(root_, SIGKILL);
    ::waitpid(root_, nullptr, 0);
    throw std::system_error(error, std::generic_category(), "ptrace is not permitted here");
  }
  processes_[root_].group = root_;
  gate.reset();

  while (!processes_.empty()) {
    int status = 0;
    const pid_t pid = ::waitpid(-1, &status, __WALL);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) return;
    if (WIFSTOPPED(status)) {
      handle_stop(pid, status);
    } else {
      handle_end(pid, status);
    }
  }
}

void Tracer::handle_stop(pid_t pid, int status) {
  const int signal = WSTOPSIG(status);
  const int event = status >> 16;
  const auto found = processes_.find(pid);
  if (found == processes_.end()) {
    early_.insert(pid);
    return;
  }
  Process& process = found->second;
  if (signal == (SIGTRAP | kSysGood)) {
    handle_call(pid, process);
    resume(pid, 0);
  } else if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK ||
             event == PTRACE_EVENT_CLONE) {
    handle_fork(pid, process, event);
    resume(pid, 0);
  } else if (event == PTRACE_EVENT_EXEC) {
    handle_exec(pid, process);
    resume(pid, 0);
  } else if (event == PTRACE_EVENT_STOP) {
    // A stop by SIGSTOP or a similar signal. PTRACE_LISTEN keeps the process stopped until SIGCONT.
    const bool stopped_as_group = signal != SIGTRAP && !done_;
    if (stopped_as_group && ::ptrace(PTRACE_LISTEN, pid, nullptr, nullptr) == 0) return;
    resume(pid, 0);
  } else {
    resume(pid, signal);
  }
}

void Tracer::handle_call(pid_t pid, Process& process) {
  __ptrace_syscall_info info{};
  if (::ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) <= 0) return;
  if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
    enter_call(pid, process, info.entry.nr, info.entry.args);
  if (info.op == PTRACE_SYSCALL_INFO_EXIT) leave_call(pid, process);
}

void Tracer::enter_call(pid_t pid, Process& process, std::uint64_t number,
                        const std::uint64_t* arguments) {
  if (done_ || !process.target || !fault_.selects(number)) return;
  // The threads of a process share one count.
  Process& leader = processes_[process.group];
  const std::uint64_t count = fault_.every_part ? ++shared_calls_ : ++leader.calls;
  const std::string name = call_name(number);
  if (fault_.kind == Fault::Kind::kNone) {
    const bool makes_file = number == SYS_openat && (arguments[2] & O_CREAT) != 0;
    report_.add_line("call " + std::string(part_name(process.part)) + " " +
                     std::to_string(process.instance) + " " + name +
                     (makes_file ? " O_CREAT" : " " + kind_of_descriptor(pid, arguments[0])));
    return;
  }
  if (!is_selected(count)) return;
  if (fault_.kind == Fault::Kind::kFail &&
      !can_fail(number, kind_of_descriptor(pid, arguments[0]), fault_.error_number))
    return;
  report_.add_line("hit " + std::string(part_name(process.part)) + " " +
                   std::to_string(process.instance) + " " + std::to_string(pid) + " " + name);
  switch (fault_.kind) {
    case Fault::Kind::kKillBefore: kill_target(process); break;
    case Fault::Kind::kKillAfter: process.kill_at_exit = true; break;
    case Fault::Kind::kFail:
      // No call has this number, so the kernel makes none.
      ::ptrace(PTRACE_POKEUSER, pid, SLIPWAY_REGISTER(orig_rax), -1L);
      process.fail_at_exit = true;
      break;
    case Fault::Kind::kNone: break;
  }
}

void Tracer::leave_call(pid_t pid, Process& process) {
  if (process.kill_at_exit) kill_target(process);
  if (!process.fail_at_exit) return;
  process.fail_at_exit = false;
  ::ptrace(PTRACE_POKEUSER, pid, SLIPWAY_REGISTER(rax), -static_cast<long>(fault_.error_number));
  if (!fault_.from_then_on) finish();
}

bool Tracer::is_selected(std::uint64_t count) const {
  return count == fault_.at || (fault_.from_then_on && count > fault_.at);
}

void Tracer::handle_fork(pid_t pid, const Process& parent, int event) {
  unsigned long message = 0;
  ::ptrace(PTRACE_GETEVENTMSG, pid, nullptr, &message);
  const auto child_pid = static_cast<pid_t>(message);
  Process child;
  child.group = child_pid;
  if (event == PTRACE_EVENT_CLONE) {  // a thread
    child.group = parent.group;
    child.part = parent.part;
    child.instance = parent.instance;
    child.target = parent.target;
  } else {
    give_part(child, part_after_fork(parent.part, clone_flags(pid)));
    child.stranger = parent.part != Part::kOther && child.part == Part::kOther;
  }
  processes_[child_pid] = child;
  if (early_.erase(child_pid) != 0) resume(child_pid, 0);
}

void Tracer::handle_exec(pid_t pid, Process& process) {
  // The kernel has made the call; this event precedes its exit.
  if (process.kill_at_exit) {
    kill_target(process);
    return;
  }
  const Part before = process.part;
  process.calls = 0;
  give_part(process, part_after_exec(program_of(pid)));
  process.stranger = before != Part::kOther && process.part == Part::kOther;
}

void Tracer::give_part(Process& process, Part part) {
  process.part = part;
  process.instance = instances_[static_cast<int>(part)]++;
  const bool of_slipway = part != Part::kOther;
  process.target = of_slipway && (fault_.every_part || fault_.kind == Fault::Kind::kNone ||
                                  (part == fault_.part && process.instance == fault_.instance));
}

void Tracer::kill_target(const Process& process) {
  if (fault_.also_warden) {
    for (const auto& [pid, each] : processes_) {
      if (each.part == Part::kWarden && each.group == pid) ::kill(pid, SIGKILL);
    }
  }
  ::kill(process.group, SIGKILL);
  finish();
}

// Stops every process; resume() then detaches it.
void Tracer::finish() {
  done_ = true;
  for (const auto& [pid, process] : processes_) {
    if (process.attached) ::ptrace(PTRACE_INTERRUPT, pid, nullptr, nullptr);
  }
}

void Tracer::resume(pid_t pid, int signal) {
  const auto found = processes_.find(pid);
  if (found == processes_.end()) return;
  Process& process = found->second;
  const bool is_root = pid == root_;
  // A failing call must reach its exit first.
  const bool detaches = (done_ && !process.fail_at_exit) || process.stranger;
  if (detaches) {
    ::ptrace(PTRACE_DETACH, pid, nullptr, signal);
    process.attached = false;
    // The command is a child of this process, so waitpid() reports its end even without tracing.
    if (!is_root) processes_.erase(found);
    return;
  }
  ::ptrace(process.target ? PTRACE_SYSCALL : PTRACE_CONT, pid, nullptr, signal);
}

void Tracer::handle_end(pid_t pid, int status) {
  early_.erase(pid);
  const auto found = processes_.find(pid);
  if (pid == root_) {
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    report_.add_line("command " + std::to_string(code));
  }
  if (found == processes_.end()) return;
  const Process& process = found->second;
  if (process.target && process.group == pid) {
    report_.add_line("end " + std::string(part_name(process.part)) + " " +
                     std::to_string(process.instance) + " " + std::to_string(process.calls));
    // The target has ended: its fault has happened already, or cannot happen any more.
    if (fault_.kind != Fault::Kind::kNone && !fault_.every_part) finish();
  }
  processes_.erase(found);
}

}  // namespace slipway::faults
