#include "core/cli/terminal/interrupts.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <chrono>
#include <utility>

#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/key_prompt.hpp"
#include "core/cli/terminal/running_call.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "slipway/error.hpp"

namespace slipway::cli {

namespace {

/// Returns whether `signal` is ignored, as in a program that nohup has started.
bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

// How long a call may leave an interrupt unhandled.
constexpr std::int64_t kInterruptPatienceNs = 5'000'000'000;
// The time from an interrupt to the message about the call that leaves it unhandled.
constexpr int kReportAfterMs = 1500;

std::int64_t now_ns() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

/// Returns the oldest signal, or 0 if there is none. A key that sends a signal, such as ^C or ^\,
/// may also end the reader of this process's output, as in `2>&1 | tee log`. A broken pipe must not
/// end this process before it has acted on the signal.
int read_signal(int fd) {
  signalfd_siginfo info{};
  const bool is_whole = ::read(fd, &info, sizeof info) == static_cast<ssize_t>(sizeof info);
  if (!is_whole) return 0;
  survive_broken_pipes();
  return static_cast<int>(info.ssi_signo);
}

/// Prints which call leaves an interrupt unhandled. Returns false if the main thread is in none.
bool report_running_call() {
  const auto call = running_call();
  if (!call) return false;
  say(LogLevel::kWarning,
      call->plugin + " has not returned from " + call->function +
          " since the interrupt; another ^C or SIGTERM, five seconds or more after the first, ends "
          "this command without it");
  return true;
}

/// Ends the command, whose main thread does not handle an interrupt.
[[noreturn]] void end_without_call() {
  const auto call = running_call();
  say(LogLevel::kError,
      (call ? call->plugin + " has not returned from " + call->function
            : std::string("this command has not acted")) +
          " since the interrupt, so this command ends without it; `slipway list` shows what still "
          "runs");
  ::_exit(kExitInterrupted);
}

}  // namespace

Interrupts::Interrupts() {
  sigset_t wanted;
  sigemptyset(&wanted);
  // The kernel queues a blocked signal even when it is ignored, so ignored ones are not blocked.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    if (signal == SIGQUIT && !is_on_terminal()) continue;
    if (!is_ignored(signal)) sigaddset(&wanted, signal);
  }
  pthread_sigmask(SIG_BLOCK, &wanted, &mask_before_);
  fd_ = OwnedFd(signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK));
  if (fd_.get() < 0) {
    pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
    throw Error(Code::kUnavailable, "no descriptor is left for watching signals");
  }
}

Interrupts::~Interrupts() {
  stop_.reset();
  if (thread_) ::pthread_join(*thread_, nullptr);
  pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

int Interrupts::take() {
  if (!forwarded_) return read_signal(fd_.get());
  unsigned char signal = 0;
  return ::read(forwarded_.get(), &signal, 1) == 1 ? signal : 0;
}

void Interrupts::end_when_stuck() {
  if (thread_) return;
  int signals[2] = {-1, -1};
  int end[2] = {-1, -1};
  if (::pipe2(signals, O_CLOEXEC | O_NONBLOCK) != 0) return;
  OwnedFd forwarded(signals[0]);
  OwnedFd forward_to(signals[1]);
  if (::pipe2(end, O_CLOEXEC) != 0) return;
  stopped_ = OwnedFd(end[0]);
  stop_ = OwnedFd(end[1]);
  forward_to_ = std::move(forward_to);
  const auto start = [](void* interrupts) -> void* {
    static_cast<Interrupts*>(interrupts)->forward();
    return nullptr;
  };
  pthread_t thread{};
  if (::pthread_create(&thread, nullptr, start, this) != 0) {
    forward_to_.reset();
    return;
  }
  thread_ = thread;
  forwarded_ = std::move(forwarded);
}

void Interrupts::forward() {
  pollfd fds[] = {{fd_.get(), POLLIN, 0}, {stopped_.get(), POLLIN, 0}};
  std::int64_t reported = 0;  // the last pending_since_ns_ for which a message was printed
  while (true) {
    const std::int64_t pending = pending_since_ns_;
    const bool is_new = pending != 0 && pending != reported;
    const int ready = ::poll(fds, 2, is_new ? kReportAfterMs : -1);
    if (ready < 0) continue;
    if (fds[1].revents != 0) return;
    if (ready == 0) {
      if (pending_since_ns_ == pending && report_running_call()) reported = pending;
      continue;
    }
    const auto signal = static_cast<unsigned char>(read_signal(fd_.get()));
    if (signal == 0) continue;
    const std::int64_t now = now_ns();
    std::int64_t since = 0;
    if (!pending_since_ns_.compare_exchange_strong(since, now) &&
        now - since >= kInterruptPatienceNs) {
      end_without_call();
    }
    [[maybe_unused]] const auto written = ::write(forward_to_.get(), &signal, 1);
  }
}

}  // namespace slipway::cli
