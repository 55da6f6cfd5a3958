#include "core/registry/queries/query_process.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <list>
#include <mutex>
#include <utility>

#include "core/registry/calls/call_context.hpp"
#include "core/registry/calls/plugin_call.hpp"
#include "core/registry/queries/query_message.hpp"
#include "sdk/support/signal_name.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::registry {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostAtOnce = 16;            // processes
constexpr std::size_t kMostPrinted = 4096;         // bytes of standard output and error
constexpr std::size_t kMostAnswered = 256u << 20;  // bytes of all frames

// A frame consists of its kind, the number of its bytes (8 bytes) and the bytes.
constexpr char kCall = 'C';    // the name of a function of the plug-in that is called next
constexpr char kReply = 'R';   // the bytes of QueryPipe::reply()
constexpr char kLog = 'L';     // a level and a message of QueryPipe::log()
constexpr char kThrown = 'X';  // the Error that ended the query
constexpr char kEnd = 'E';     // nothing: the query has returned
constexpr std::size_t kFrameHeaderBytes = 1 + sizeof(std::int64_t);

void write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    // After the end of the command, write() fails only if the plug-in ignores SIGPIPE, which
    // otherwise ends the process.
    if (n < 0 && errno != EINTR) ::_exit(1);
    if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

// ---- in the query process

pid_t query_process = -1;  // this process
int calls_fd = -1;         // the pipe for the names of calls
std::mutex sending;        // keeps the frames of the plug-in's threads apart

void send(int fd, char kind, std::string_view bytes) {
  // A fork of the query process, which a plug-in may make, must not write to its pipe.
  if (::getpid() != query_process) return;
  std::string frame(1, kind);
  const auto size = static_cast<std::int64_t>(bytes.size());
  frame.append(reinterpret_cast<const char*>(&size), sizeof size);
  frame.append(bytes);
  const std::lock_guard lock(sending);
  write_all(fd, frame);
}

void report_call(const PluginCall& call) noexcept { send(calls_fd, kCall, call.call()); }
constexpr PluginCallObserver kReportCalls = {&report_call, [](const PluginCall&) noexcept {}};

// Separates the process from the command: gives the process its own streams and process group, and
// the default handling of signals. Output goes to `printed`.
void detach_from_command(int printed) {
  ::setpgid(0, 0);
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  // Without /dev/null, reading standard input fails. It must not be the command's.
  ::dup2(null < 0 ? printed : null, STDIN_FILENO);
  ::dup2(printed, STDOUT_FILENO);
  ::dup2(printed, STDERR_FILENO);
  const rlimit none{0, 0};  // a crash leaves no core file
  ::setrlimit(RLIMIT_CORE, &none);
  for (int signal = 1; signal < SIGRTMIN; ++signal) ::signal(signal, SIG_DFL);
  sigset_t nothing;
  sigemptyset(&nothing);
  ::pthread_sigmask(SIG_SETMASK, &nothing, nullptr);
}

void send_error(int report, const Error& error) {
  std::fflush(stdout);
  send(report, kThrown, MessageWriter().error(error).take());
}

Error unexpected(const PluginQuery& query, const char* what) {
  return Error(Code::kInternal, "the query of " + plugin_text(query.plugin_id, query.version) +
                                    " failed unexpectedly: " + what);
}

// Runs the query, whose frames go to the pipe `report` and whose output goes to the pipe `printed`.
// Must not throw: an exception would unwind the stack of the command in this process, and destroy
// this process's copies of the other queries, which would kill their processes.
[[noreturn]] void run_child(const PluginQuery& query, int report, int printed, pid_t command,
                            Clock::time_point answer_by) noexcept {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != command) ::_exit(1);
  detach_from_command(printed);
  end_calls_by(answer_by);
  query_process = ::getpid();
  calls_fd = report;
  observe_plugin_calls(&kReportCalls);
  const PluginCallback outside_of_plugins;  // the command may have forked during a plug-in's call
  try {
    query.ask(QueryPipe(report));
    std::fflush(stdout);
    send(report, kEnd, {});
  } catch (const Error& error) {
    send_error(report, error);
  } catch (const std::exception& error) {
    send_error(report, unexpected(query, error.what()));
  } catch (...) {
    send_error(report, unexpected(query, "an exception of an unknown type"));
  }
  // Runs neither destructors nor exit handlers of the plug-in, which could still crash.
  ::_exit(0);
}

// ---- in the command

std::string end_text(int status) {
  if (WIFSIGNALED(status)) return "crashed (" + signal_name(WTERMSIG(status)) + ")";
  return fmt::format("ended its process with exit status {}", WEXITSTATUS(status));
}

bool call_limit_is_over() {
  const auto left = time_until_call_limit();
  return left && left->count() == 0;
}

// One query process and the part of its answer that has arrived.
class QueryProcess {
 public:
  QueryProcess(std::size_t place, const PluginQuery& query, std::chrono::milliseconds limit)
      : place_(place),
        query_(query),
        limit_(std::min(limit, time_until_call_limit().value_or(limit))),
        deadline_(Clock::now() + limit_) {
    int report[2];
    int printed[2];
    if (::pipe2(report, O_CLOEXEC) != 0) fail();
    report_ = OwnedFd(report[0]);
    OwnedFd to_report(report[1]);
    if (::pipe2(printed, O_CLOEXEC) != 0) fail();
    printed_ = OwnedFd(printed[0]);
    const OwnedFd to_printed(printed[1]);
    const pid_t command = ::getpid();
    // Otherwise the query process would print a copy of what the command has buffered.
    std::cout.flush();
    std::fflush(stdout);
    process_ = ::fork();
    if (process_ < 0) fail();
    // The plug-in gets nine tenths of the time, so that an answer at its deadline arrives in time.
    if (process_ == 0) {
      report_.reset();  // so that writing fails after the end of the command
      printed_.reset();
      run_child(query_, to_report.get(), to_printed.get(), command, deadline_ - limit_ / 10);
    }
    ::setpgid(process_, process_);  // also here, so that kill() finds the group at any time
    for (const int fd : {report_.get(), printed_.get()}) ::fcntl(fd, F_SETFL, O_NONBLOCK);
    // Fails on kernels before 5.3, under some seccomp filters, and if no descriptor is free. Then
    // the end of the pipe shows the end of the process.
    process_fd_ = OwnedFd(static_cast<int>(::syscall(SYS_pidfd_open, process_, 0)));
  }
  ~QueryProcess() { kill(); }
  QueryProcess(const QueryProcess&) = delete;
  QueryProcess& operator=(const QueryProcess&) = delete;

  std::size_t place() const { return place_; }
  Clock::time_point deadline() const { return deadline_; }
  QueryAnswer take() { return std::move(answer_); }

  void watch(std::vector<pollfd>& to) const {
    for (const int fd : {report_.get(), printed_.get(), process_fd_.get()})
      to.push_back({fd, POLLIN, 0});
  }

  // Reads what has arrived, and kills the process if it is too late. Returns true if the answer is
  // complete or the process has failed.
  bool read() {
    const bool process_gone = has_ended();
    const bool no_more_reports = read_reports();
    const bool no_more_printed = read_printed();
    if (ended_) {
      end_process();
      read_printed();
      return true;
    }
    if (too_much_) return fail_with("answered with more than 256 MiB");
    if (damaged_) return fail_with("sent a damaged answer: it has overwritten memory");
    if (process_gone || (no_more_reports && process_fd_.get() < 0)) {
      end_process();
      read_printed();
      return end_with(plugin_text(query_.plugin_id, query_.version) + " " + end_text(status_) +
                      (call_.empty() ? "" : " in " + call_));
    }
    if (no_more_reports) report_.reset();
    if (no_more_printed) printed_.reset();
    if (Clock::now() < deadline_) return false;
    const std::string late =
        fmt::format("did not answer within {:g} s", std::chrono::duration<double>(limit_).count());
    if (!call_limit_is_over()) return fail_with(late);
    kill();
    answer_.error.emplace(Code::kTimeout, query_.plugin_id + " " + late);
    return true;
  }

 private:
  [[noreturn]] static void fail() {
    throw Error(Code::kUnavailable,
                std::string("cannot start a process that calls a plug-in: ") + std::strerror(errno),
                "raise the limits of processes and open files (ulimit -u, -n)");
  }

  bool end_with(std::string failure) {
    answer_.failure = std::move(failure);
    return true;
  }
  bool fail_with(const std::string& what) {
    kill();
    read_printed();
    return end_with(query_.plugin_id + " " + what);
  }

  bool has_ended() const {
    pollfd one{process_fd_.get(), POLLIN, 0};
    return process_fd_.get() >= 0 && ::poll(&one, 1, 0) > 0;
  }

  // Kills the process, which may have closed its pipes without ending, and reaps it. Does not
  // change the exit status of a process that is already ending.
  void end_process() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, &status_, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
  }

  void kill() {
    if (process_ <= 0) return;
    ::kill(-process_, SIGKILL);
    end_process();  // the plug-in may have moved it to another group
  }

  // Appends what can be read without waiting. Returns true at the end of the pipe.
  static bool drain(int fd, std::string& to, std::size_t most) {
    char buffer[8192];  // small, because `ulimit -s` may limit the stack
    // Reads more than a pipe holds, but stops even if the process writes faster than this one
    // reads.
    for (int round = 0; round < 20; ++round) {
      const ssize_t n = ::read(fd, buffer, sizeof buffer);
      if (n == 0) return true;
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return errno != EAGAIN;
      const std::size_t room = most > to.size() ? most - to.size() : 0;
      to.append(buffer, std::min(room, static_cast<std::size_t>(n)));
      if (static_cast<std::size_t>(n) < sizeof buffer) return false;
    }
    return false;
  }

  bool read_printed() {
    return printed_.get() < 0 || drain(printed_.get(), answer_.printed, kMostPrinted);
  }

  bool read_reports() {
    if (report_.get() < 0) return true;
    const bool at_end = drain(report_.get(), bytes_, kMostAnswered - answered_);
    too_much_ = bytes_.size() >= kMostAnswered - answered_;
    std::size_t from = 0;
    while (!damaged_ && bytes_.size() - from >= kFrameHeaderBytes) {
      std::int64_t size = 0;
      std::memcpy(&size, bytes_.data() + from + 1, sizeof size);
      damaged_ = size < 0;
      const bool too_large = size > static_cast<std::int64_t>(kMostAnswered);
      too_much_ = too_much_ || too_large;
      if (damaged_ || too_large ||
          bytes_.size() - from - kFrameHeaderBytes < static_cast<std::size_t>(size))
        break;
      take_frame(bytes_[from], std::string_view(bytes_).substr(from + kFrameHeaderBytes,
                                                               static_cast<std::size_t>(size)));
      from += kFrameHeaderBytes + static_cast<std::size_t>(size);
    }
    bytes_.erase(0, from);
    answered_ += from;
    return at_end;
  }

  void take_frame(char kind, std::string_view bytes) {
    try {
      handle_frame(kind, bytes);
    } catch (const Error&) {
      damaged_ = true;
    }
  }

  void handle_frame(char kind, std::string_view bytes) {
    MessageReader message(bytes);
    switch (kind) {
      case kCall: call_ = bytes; break;
      case kReply: answer_.replies.emplace_back(bytes); break;
      case kLog: {
        const auto level = static_cast<LogLevel>(message.number());
        answer_.messages.push_back({level, message.text()});
        break;
      }
      case kThrown:
        answer_.error = message.error();
        ended_ = true;
        break;
      case kEnd: ended_ = true; break;
      default: damaged_ = true;
    }
  }

  std::size_t place_;
  const PluginQuery& query_;
  std::chrono::milliseconds limit_;
  Clock::time_point deadline_;
  // Read ends of the pipes for frames, and for standard output and error; empty after their end.
  OwnedFd report_, printed_;
  OwnedFd process_fd_;  // empty if the system gave no pidfd
  pid_t process_ = -1;
  int status_ = 0;
  std::string bytes_;         // an incomplete frame
  std::string call_;          // the last call of the process
  bool ended_ = false;        // the frame kEnd or kThrown has arrived
  bool too_much_ = false;     // the frames have kMostAnswered bytes or more
  bool damaged_ = false;      // a frame cannot be decoded
  std::size_t answered_ = 0;  // bytes of complete frames
  QueryAnswer answer_;
};

void wait_for(const std::list<QueryProcess>& running) {
  std::vector<pollfd> fds;
  Clock::time_point first = Clock::time_point::max();
  for (const QueryProcess& query : running) {
    query.watch(fds);
    first = std::min(first, query.deadline());
  }
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(first - Clock::now()).count();
  ::poll(fds.data(), static_cast<nfds_t>(fds.size()),
         static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000)));
}

}  // namespace

void QueryPipe::reply(std::string_view bytes) const { send(fd_, kReply, bytes); }

void QueryPipe::log(LogLevel level, std::string_view message) const {
  send(fd_, kLog, MessageWriter().number(static_cast<std::int64_t>(level)).text(message).take());
}

void run_queries(const std::vector<PluginQuery>& queries, std::chrono::milliseconds limit,
                 const std::function<void(std::size_t, QueryAnswer)>& answered) {
  std::list<QueryProcess> running;
  std::size_t next = 0;
  while (next < queries.size() || !running.empty()) {
    while (next < queries.size() && running.size() < kMostAtOnce) {
      try {
        if (call_limit_is_over())
          throw Error(Code::kTimeout, queries[next].plugin_id + " was not asked");
        running.emplace_back(next, queries[next], limit);
      } catch (const Error& error) {
        // Waits for running queries to free descriptors and processes.
        if (error.code() == Code::kUnavailable && !running.empty()) break;
        QueryAnswer none;
        none.error = error;
        answered(next, std::move(none));
      }
      ++next;
    }
    if (running.empty()) continue;
    wait_for(running);
    for (auto query = running.begin(); query != running.end();) {
      if (!query->read()) {
        ++query;
        continue;
      }
      const std::size_t place = query->place();
      QueryAnswer answer = query->take();
      query = running.erase(query);
      answered(place, std::move(answer));
    }
  }
}

bool process_has_one_thread() {
  struct stat tasks {};
  // The directory has two links, and one more for the subdirectory of each thread.
  return ::stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 3;
}

}  // namespace slipway::registry
