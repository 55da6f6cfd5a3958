#include "sdk/check/run/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "sdk/check/checks/left_behind.hpp"
#include "sdk/check/host/checked_callback.hpp"
#include "sdk/check/host/guarded_memory.hpp"
#include "sdk/check/run/descendants.hpp"
#include "sdk/support/file_text.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::check {

namespace {

using Clock = std::chrono::steady_clock;

// A report consists of the size of the rest, the verdict's letter, the observation, a NUL, and the
// remedy. The size shows where it ends, because a process that the plug-in forked may keep the pipe
// open.
using ReportSize = std::uint64_t;
constexpr char kPassed = 'P', kFailed = 'F', kSkipped = 'S';

// After a signal, the kit spends at most this long on cancelling the app that the check left
// running, not a whole time limit.
constexpr int kHurriedLimitSeconds = 15;

// Returns the remedy for a crash, a hang or an exit: an empty text, which selects the check's own
// remedy, if that applies to a crash (Check::scope), otherwise `general`.
std::string remedy_for_crash(const Check& check, const std::string& general) {
  return check.scope == Remedy::kAlsoForCrash ? "" : general;
}

std::string in_debugger(const Check& check, const std::string& what) {
  return what + "`gdb --args slipway-plugin-check --no-fork --only " + check.name +
         "` with the other arguments of this command";
}

Outcome outcome_of_run(const Check& check, const Trial& trial) {
  // Replaces the check's own remedy: whatever the check tests, no exception may leave the plug-in.
  const auto crossed = [&](const std::string& what) {
    return Outcome{Verdict::kFailed,
                   "an exception crossed the boundary in " +
                       trial.progress.last_step_before_unwinding() + what,
                   "catch every exception in the plug-in, and return an error instead; the SDK's "
                   "C++ classes do"};
  };
  try {
    check.run(trial);
    return {};
  } catch (const Broken& broken) {
    return {Verdict::kFailed, broken.what(), broken.remedy};
  } catch (const Inconclusive& unable) {
    return {Verdict::kSkipped, unable.what(), {}};
  } catch (const NoResources& error) {
    return {Verdict::kSkipped,
            std::string("this machine lacks resources for the check: ") + error.what(),
            {}};
  } catch (const std::exception& error) {
    return crossed(std::string(": ") + error.what());
  } catch (...) {
    return crossed("");
  }
}

Outcome outcome_of(const Check& check, const Trial& trial) {
  Outcome out = outcome_of_run(check, trial);
  // If a callback of the kit got a malformed struct, it returned SLIPWAY_E_ABI to the plug-in. That
  // may have caused what the check saw, so this defect replaces the outcome.
  if (const auto malformed = take_malformed())
    out = {Verdict::kFailed, malformed->what(), malformed->remedy};
  return out;
}

std::string report_of(const Outcome& outcome) {
  const char letter = outcome.verdict == Verdict::kPassed   ? kPassed
                      : outcome.verdict == Verdict::kFailed ? kFailed
                                                            : kSkipped;
  const std::string text = letter + outcome.seen + '\0' + outcome.remedy;
  const ReportSize size = text.size();
  return std::string(reinterpret_cast<const char*>(&size), sizeof size) + text;
}

// Removes the size from the start of a report. Returns false if the report is not complete.
bool take_size(std::string& report) {
  ReportSize size = 0;
  if (report.size() < sizeof size) return false;
  std::memcpy(&size, report.data(), sizeof size);
  if (report.size() - sizeof size < size) return false;
  report.erase(0, sizeof size);
  return true;
}

[[noreturn]] void run_child(const Check& check, const Trial& trial, const StopSignals& stop,
                            int report_fd, int printed_fd, pid_t kit) {
  // ^C of a terminal reaches only the kit, which ends this process group.
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != kit) ::_exit(1);  // the kit was killed before prctl()
  stop.release_in_child();
  // A write to a broken pipe ends the process, also where the kit's parent ignores the signal.
  ::signal(SIGPIPE, SIG_DFL);
  // Keeps the plug-in's output for the report, and disables core dumps.
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(null, 0);
  ::dup2(printed_fd, 1);
  ::dup2(printed_fd, 2);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  write_all(report_fd, report_of(outcome_of(check, trial)));
  // Skips destructors and exit handlers: the process existed only for the check.
  ::_exit(0);
}

enum class End : std::uint8_t { kReported, kEnded, kTimeIsUp, kStopped };

bool has_ended(pid_t process) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == process;
}

bool has_input(int fd) {
  pollfd one{fd, POLLIN, 0};
  return ::poll(&one, 1, 0) > 0;
}

// Waits until `report` is complete, the process has ended without one, the time is up, or a signal
// arrived. The pipe does not show whether the process runs: a process that the plug-in forked may
// keep it open, and the plug-in may have closed it.
End await_report(pid_t process, OwnedFd pipe, const StopSignals& stop, Clock::time_point deadline,
                 std::string& report) {
  const OwnedFd process_fd(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
  char buffer[4096];
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return End::kTimeIsUp;
    pollfd all[] = {{stop.fd(), POLLIN, 0}, {process_fd.get(), POLLIN, 0}, {pipe.get(), POLLIN, 0}};
    // Without pidfd_open() (before Linux 5.3, or forbidden in a container), calls has_ended() every
    // 10 ms.
    const int pause = static_cast<int>(process_fd ? left : std::min<long long>(left, 10));
    if (::poll(all, 3, pause) < 0) continue;
    if (all[0].revents != 0) return End::kStopped;
    const bool ended = all[1].revents != 0 || (!process_fd && has_ended(process));
    if (pipe && has_input(pipe.get())) {  // asked again: the process may have written since poll()
      const ssize_t n = ::read(pipe.get(), buffer, sizeof buffer);
      if (n > 0) report.append(buffer, static_cast<std::size_t>(n));
      if (take_size(report)) return End::kReported;
      if (n == 0) pipe.reset();
    } else if (ended) {
      return End::kEnded;
    }
  }
}

std::string last_line(int fd) {
  char buffer[2048];
  const off_t size = ::lseek(fd, 0, SEEK_END);
  const off_t from =
      size > static_cast<off_t>(sizeof buffer) ? size - static_cast<off_t>(sizeof buffer) : 0;
  const ssize_t n = ::pread(fd, buffer, sizeof buffer, from);
  std::string text(buffer, n > 0 ? static_cast<std::size_t>(n) : 0);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t line = text.rfind('\n');
  return line == std::string::npos ? text : text.substr(line + 1);
}

Outcome parsed(const std::string& report) {
  Outcome out;
  out.verdict = report[0] == kPassed   ? Verdict::kPassed
                : report[0] == kFailed ? Verdict::kFailed
                                       : Verdict::kSkipped;
  const std::size_t end = report.find('\0');
  out.seen = report.substr(1, end - 1);
  out.remedy = report.substr(end + 1);
  return out;
}

std::string ending(int status) {
  if (WIFSIGNALED(status))
    return std::string("the process was ended by ") + ::strsignal(WTERMSIG(status));
  return "the process exited with status " + std::to_string(WEXITSTATUS(status));
}

// Runs the check in a child process for at most `limit_s` seconds. Throws Interrupted if a signal
// arrives first.
Outcome run_limited(const Check& check, const Trial& trial, const StopSignals& stop, int limit_s) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw NoResources(std::string("no pipe for a check: ") + std::strerror(errno));
  OwnedFd from(ends[0]), to(ends[1]);
  const OwnedFd printed(::memfd_create("printed", MFD_CLOEXEC));
  if (!printed)
    throw NoResources(std::string("no file for a check's output: ") + std::strerror(errno));
  const auto deadline = Clock::now() + std::chrono::seconds(limit_s);
  const pid_t kit = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw NoResources(std::string("no process for a check: ") + std::strerror(errno));
  if (child == 0) {
    from.reset();
    run_child(check, trial, stop, to.release(), printed.get(), kit);
  }
  // Also here, because the child may not have run yet.
  ::setpgid(child, child);
  to.reset();
  std::string report;
  const End end = await_report(child, std::move(from), stop, deadline, report);
  if (end == End::kTimeIsUp || end == End::kStopped) {
    ::kill(-child, SIGKILL);
    ::kill(child, SIGKILL);  // the plug-in may have moved it to another process group
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (end == End::kStopped) throw Interrupted{stop.take()};
  if (end == End::kReported) return parsed(report);
  const std::string during = " in " + trial.progress.last_step();
  std::string seen = end == End::kEnded ? ending(status) + during
                                        : "no end after " + std::to_string(limit_s) + " s" + during;
  if (const std::string words = last_line(printed.get()); !words.empty()) seen += ": " + words;
  return {Verdict::kFailed, seen,
          remedy_for_crash(
              check, in_debugger(check, end == End::kEnded ? "find the place of the crash or exit: "
                                                           : "find what the call waits for: "))};
}

void prepare(const Trial& trial) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  fs::remove_all(trial.directory, ignored);
  fs::create_directories(trial.directory, ignored);
  trial.progress.clear();
}

// Returns a check outside the catalogue, which cancels the app that the last check left running.
const Check& cleaning() {
  static const Check check{"", "", Needs::kNothing, "", "", &cancel_left_behind};
  return check;
}

void clean_up(const Trial& trial, const StopSignals& stop, int limit_s) {
  // A destructor calls end_descendants(), because a further signal makes run_limited() throw.
  struct AtEnd {
    ~AtEnd() { end_descendants(); }
  } const at_end;
  if (!trial.progress.unfinished_app().empty()) run_limited(cleaning(), trial, stop, limit_s);
}

}  // namespace

Outcome run_in_child(const Check& check, const Trial& trial, const StopSignals& stop) {
  prepare(trial);
  const int limit_s = trial.options.limit_s;
  try {
    const Outcome outcome = run_limited(check, trial, stop, limit_s);
    clean_up(trial, stop, limit_s);
    return outcome;
  } catch (const Interrupted&) {
    clean_up(trial, stop, std::min(limit_s, kHurriedLimitSeconds));
    throw;
  }
}

Outcome run_here(const Check& check, const Trial& trial) {
  prepare(trial);
  play_newer_host(false);  // an earlier check in this process may have set it
  const Outcome outcome = outcome_of(check, trial);
  if (!trial.progress.unfinished_app().empty()) outcome_of(cleaning(), trial);
  return outcome;
}

}  // namespace slipway::check
