#include "core/cli/terminal/plugin_crash.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <utility>

#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/key_prompt.hpp"
#include "core/cli/terminal/plugin_output.hpp"
#include "core/cli/terminal/running_call.hpp"
#include "core/registry/calls/plugin_call.hpp"

namespace slipway::cli {

namespace {

using registry::PluginCall;

constexpr std::array<std::pair<int, const char*>, 7> kCrashes = {{{SIGSEGV, "SIGSEGV"},
                                                                  {SIGBUS, "SIGBUS"},
                                                                  {SIGFPE, "SIGFPE"},
                                                                  {SIGILL, "SIGILL"},
                                                                  {SIGABRT, "SIGABRT"},
                                                                  {SIGTRAP, "SIGTRAP"},
                                                                  {SIGSYS, "SIGSYS"}}};
std::array<struct sigaction, kCrashes.size()> actions_before{};  // of the signals in kCrashes

pid_t watched_process = 0;
bool wants_json = false;

/// A text of bounded length that a signal handler may build.
class FixedText {
 public:
  FixedText& add(const char* text) {
    while (*text != '\0') put(*text++);
    return *this;
  }
  FixedText& add(int number) {
    char digits[16];
    char* at = digits + sizeof digits;
    *--at = '\0';
    unsigned rest = number < 0 ? 0u - static_cast<unsigned>(number) : static_cast<unsigned>(number);
    do {
      *--at = static_cast<char>('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    if (number < 0) put('-');
    return add(at);
  }
  FixedText& append(const FixedText& text) {
    for (std::size_t i = 0; i < text.size_; ++i) put(text.bytes_[i]);
    return *this;
  }
  /// Appends `text` as the inside of a JSON string; control characters become spaces.
  FixedText& quote(const FixedText& text) {
    for (std::size_t i = 0; i < text.size_; ++i) {
      const char c = text.bytes_[i];
      if (c == '"' || c == '\\') put('\\');
      put(c >= 0 && c < ' ' ? ' ' : c);
    }
    return *this;
  }
  void write_to(int fd) const { [[maybe_unused]] const ssize_t n = ::write(fd, bytes_, size_); }

 private:
  void put(char c) {
    if (size_ < sizeof bytes_) bytes_[size_++] = c;
  }

  char bytes_[4096];
  std::size_t size_ = 0;
};

/// Ends the process without exit handlers. Uses a system call, because _exit() below calls this
/// function.
[[noreturn]] void end_process(int status) {
  restore_terminal();
  for (;;) ::syscall(SYS_exit_group, status);
}

/// Reports `message` about the plug-in of `call`, and ends the process. `code` is the error's code
/// in JSON. May be called in a signal handler.
[[noreturn]] void report_and_end(const PluginCall& call, const FixedText& message,
                                 const char* code = "internal", int status = kExitInternal) {
  FixedText hint;
  hint.add("to continue without it: --no-plugins, or enabled = false under [plugins.\"")
      .add(call.plugin_id())
      .add("\"] in the configuration");
  FixedText text;
  text.add("slipway: error: ")
      .append(message)
      .add("\n  ")
      .append(hint)
      .add("\n")
      .write_to(STDERR_FILENO);
  if (wants_json) {
    FixedText json;
    json.add("{\"error\":{\"code\":\"")
        .add(code)
        .add("\",\"message\":\"")
        .quote(message)
        .add("\",\"hint\":\"")
        .quote(hint)
        .add("\",\"where\":\"")
        .quote(FixedText().add(call.plugin_id()))
        .add("\",\"details\":null}}\n")
        .write_to(standard_output());
  }
  end_process(status);
}

/// Returns the plug-in of the call as the subject of a sentence: "org.example.slurm 1.2".
FixedText subject(const PluginCall& call) {
  FixedText out;
  out.add(call.plugin_id());
  if (*call.version() != '\0') out.add(" ").add(call.version());
  return out;
}

/// Returns the plug-in call that this thread of the watched process is in, or nullptr.
const PluginCall* current_call() {
  return ::getpid() == watched_process ? PluginCall::current() : nullptr;
}

/// Handles the signals in kCrashes.
void on_crash(int signal) {
  std::size_t i = 0;
  while (kCrashes[i].first != signal) ++i;
  if (const PluginCall* call = current_call()) {
    report_and_end(
        *call,
        subject(*call).add(" crashed (").add(kCrashes[i].second).add(") in ").add(call->call()));
  }
  if (::getpid() == watched_process) {
    FixedText text;
    text.add("slipway: error: crashed (").add(kCrashes[i].second);
    text.add(
        "): a defect in Slipway, or in a thread of a plug-in\n  does it also crash with "
        "--no-plugins?\n");
    text.write_to(STDERR_FILENO);
    restore_terminal();
  }
  ::sigaction(signal, &actions_before[i], nullptr);
  ::raise(signal);
}

/// The value that SIGALRM of a timer carries: which limit is over.
enum Limit : int { kOfCommand, kOfStart };

std::atomic<std::int64_t> start_limit_ms{0};  // 0: no limit
thread_local int starts = 0;                  // number of nested calls that start a plug-in
thread_local timer_t start_timer{};           // of the outermost of these calls
thread_local bool has_start_timer = false;

/// Handles SIGALRM from a timer of make_alarm(). Other SIGALRM, such as that of alarm(), ends the
/// process, as without this handler.
void on_stuck_call(int signal, siginfo_t* info, void*) {
  if (info->si_code != SI_TIMER) {
    restore_terminal();
    ::signal(signal, SIG_DFL);
    ::raise(signal);
    return;
  }
  const PluginCall* const call = current_call();
  if (call == nullptr) return;
  if (info->si_value.sival_int == kOfCommand) {
    report_and_end(*call,
                   subject(*call)
                       .add(" does not return from ")
                       .add(call->call())
                       .add(", although the time limit (--timeout) is over"),
                   "timeout", kExitTimeout);
  }
  if (starts == 0) return;  // the start ended just before the signal came
  const int seconds = static_cast<int>((start_limit_ms + 999) / 1000);
  report_and_end(*call,
                 subject(*call)
                     .add(" has not returned from ")
                     .add(call->call())
                     .add(" for ")
                     .add(seconds)
                     .add(" s; a longer --plugin-timeout gives it more time"),
                 "timeout", kExitTemporary);
}

/// Makes a timer that sends SIGALRM to this thread. Returns whether the system had one left.
bool make_alarm(Limit limit, timer_t& out) {
  struct sigaction action {};
  action.sa_sigaction = &on_stuck_call;
  action.sa_flags = SA_ONSTACK | SA_RESTART | SA_SIGINFO;
  ::sigaction(SIGALRM, &action, nullptr);
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  ::pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
  sigevent to_this_thread{};
  to_this_thread.sigev_notify = SIGEV_THREAD_ID;
  to_this_thread.sigev_signo = SIGALRM;
  to_this_thread.sigev_value.sival_int = limit;
  to_this_thread._sigev_un._tid = static_cast<pid_t>(::syscall(SYS_gettid));
  return ::timer_create(CLOCK_MONOTONIC, &to_this_thread, &out) == 0;
}

/// Sets the timer to a time from now, or with TIMER_ABSTIME in `flags` to a time of
/// CLOCK_MONOTONIC. From then on it expires every 100 ms, because the thread may just be in the
/// host, between two calls.
void set_alarm(timer_t timer, std::chrono::nanoseconds time, int flags) {
  itimerspec setting{};
  setting.it_value = {static_cast<std::time_t>(time.count() / 1'000'000'000),
                      static_cast<long>(time.count() % 1'000'000'000)};
  setting.it_interval = {0, 100'000'000};
  ::timer_settime(timer, flags, &setting, nullptr);
}

/// Reports a plug-in that ends the process, and ends it. Returns if no plug-in is being called.
void report_exit(int status) {
  if (const PluginCall* call = current_call()) {
    report_and_end(*call, subject(*call)
                              .add(" ended the process with exit status ")
                              .add(status)
                              .add(" in ")
                              .add(call->call()));
  }
}

/// Runs before each call of a plug-in.
void enter(const PluginCall& call) noexcept {
  divert_plugin_output();
  record_call(&call);
  if (call.phase() != PluginCall::Phase::kStart || starts++ > 0) return;
  const std::chrono::milliseconds limit(start_limit_ms);
  has_start_timer = limit.count() > 0 && make_alarm(kOfStart, start_timer);
  if (has_start_timer) set_alarm(start_timer, limit, /*flags=*/0);
}

/// Runs after each call of a plug-in.
void leave(const PluginCall& call) noexcept {
  record_call(PluginCall::current());
  if (call.phase() == PluginCall::Phase::kStart && --starts == 0 && has_start_timer)
    ::timer_delete(start_timer);
  print_diverted_output(call);
}

constexpr registry::PluginCallObserver kObserver = {&enter, &leave};

}  // namespace

// Most commands never use the stack. Memory from mmap() is free until then; memory of the heap
// would make the memory around it take more pages.
CrashStack::CrashStack()
    : memory_(::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
  if (memory_ == MAP_FAILED) return;
  stack_t stack{};
  stack.ss_sp = memory_;
  stack.ss_size = kSize;
  ::sigaltstack(&stack, nullptr);
}

CrashStack::~CrashStack() {
  if (memory_ == MAP_FAILED) return;
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  ::sigaltstack(&none, nullptr);
  ::munmap(memory_, kSize);
}

void watch_plugins(bool json) {
  wants_json = json;
  if (watched_process != 0) return;
  watched_process = ::getpid();
  static const CrashStack of_main_thread;
  observe_calls_of_this_thread();
  struct sigaction action {};
  action.sa_handler = &on_crash;
  action.sa_flags = SA_ONSTACK;
  for (std::size_t i = 0; i < kCrashes.size(); ++i)
    ::sigaction(kCrashes[i].first, &action, &actions_before[i]);
  ::on_exit([](int status, void*) { report_exit(status); }, nullptr);
  registry::observe_plugin_calls(&kObserver);
}

void end_json_reports() { wants_json = false; }

void limit_plugin_starts(std::chrono::milliseconds limit) { start_limit_ms = limit.count(); }

void end_call_that_runs_at(std::optional<std::chrono::steady_clock::time_point> time) {
  static std::optional<timer_t> timer;
  timer_t made{};
  if (time && !timer && make_alarm(kOfCommand, made)) timer = made;
  if (!timer) return;
  constexpr itimerspec kNever{};
  if (time) {
    set_alarm(*timer, time->time_since_epoch(), TIMER_ABSTIME);
  } else {
    ::timer_settime(*timer, 0, &kNever, nullptr);
  }
}

}  // namespace slipway::cli

// Plug-ins call these two functions instead of those of the C library, which run no exit handlers
// and so would end the command without a message.
extern "C" {
__attribute__((visibility("default"), noreturn)) void _exit(int status) {
  slipway::cli::report_exit(status);
  slipway::cli::end_process(status);
}
__attribute__((visibility("default"), noreturn)) void _Exit(int status) { _exit(status); }
}
