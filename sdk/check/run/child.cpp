#include "sdk/check/run/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "sdk/check/checks/left_behind.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::check {

namespace {

using Clock = std::chrono::steady_clock;

// A report consists of the verdict's letter, the observation, a NUL, and the remedy.
constexpr char kPassed = 'P', kFailed = 'F', kSkipped = 'S';
constexpr char kEndOfReport = '\x04';

std::string report_of(const Check& check, const Trial& trial) {
  try {
    check.run(trial);
    return std::string(1, kPassed);
  } catch (const Broken& broken) {
    return kFailed + std::string(broken.what()) + '\0' + broken.remedy;
  } catch (const Inconclusive& unable) {
    return kSkipped + std::string(unable.what());
  } catch (const std::system_error& error) {
    return kSkipped + std::string("this machine lacks resources for the check: ") + error.what();
  } catch (const std::exception& error) {
    return kFailed + ("an exception crossed the boundary in " + trial.progress.last_step() + ": " +
                      error.what());
  } catch (...) {
    return kFailed + ("an exception crossed the boundary in " + trial.progress.last_step());
  }
}

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno != EINTR) return;
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
  }
}

[[noreturn]] void run_child(const Check& check, const Trial& trial, int report, int printed) {
  // Keeps the plug-in's output for the report, and disables core dumps.
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(null, 0);
  ::dup2(printed, 1);
  ::dup2(printed, 2);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  // Ends with a mark, because a process that the plug-in forked may keep the pipe open.
  write_all(report, report_of(check, trial) + kEndOfReport);
  // Skips destructors and exit handlers: the process existed only for the check.
  ::_exit(0);
}

// Reads until the report is complete, the pipe is closed or the time is up. Returns false if the
// time is up first.
bool read_all(int fd, Clock::time_point deadline, std::string& out) {
  char buffer[4096];
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd one{fd, POLLIN, 0};
    if (left <= 0) return false;
    const int ready = ::poll(&one, 1, static_cast<int>(left));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return false;
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    out.append(buffer, static_cast<std::size_t>(n));
    if (out.back() != kEndOfReport) continue;
    out.pop_back();
    return true;
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
  out.seen = report.substr(1, end == std::string::npos ? end : end - 1);
  if (end != std::string::npos) out.remedy = report.substr(end + 1);
  return out;
}

std::string ending(int status) {
  if (WIFSIGNALED(status))
    return std::string("the process was ended by ") + ::strsignal(WTERMSIG(status));
  return "the process exited with status " + std::to_string(WEXITSTATUS(status));
}

Outcome run_limited(const Check& check, const Trial& trial) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "no pipe for a check");
  OwnedFd from(ends[0]), to(ends[1]);
  const OwnedFd printed(::memfd_create("printed", MFD_CLOEXEC));
  const auto deadline = Clock::now() + std::chrono::seconds(trial.options.limit_s);
  const pid_t child = ::fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "no process for a check");
  if (child == 0) {
    from.reset();
    run_child(check, trial, to.release(), printed.get());
  }
  to.reset();
  std::string report;
  const bool in_time = read_all(from.get(), deadline, report);
  if (!in_time) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (in_time && !report.empty()) return parsed(report);
  const std::string during = " in " + trial.progress.last_step();
  std::string seen = in_time
                         ? ending(status) + during
                         : "no end after " + std::to_string(trial.options.limit_s) + " s" + during;
  if (const std::string words = last_line(printed.get()); !words.empty()) seen += ": " + words;
  return {Verdict::kFailed, seen, {}};
}

}  // namespace

Outcome run_in_child(const Check& check, const Trial& trial) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  fs::remove_all(trial.directory, ignored);
  fs::create_directories(trial.directory, ignored);
  trial.progress.clear();
  const Outcome outcome = run_limited(check, trial);
  if (!trial.progress.unfinished_app().empty()) {
    const Check cleaning{"", "", Needs::kNothing, "", "", &cancel_left_behind};
    run_limited(cleaning, trial);
  }
  return outcome;
}

}  // namespace slipway::check
