#include "sdk/check/run/descendants.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>

namespace slipway::check {

namespace {

using Clock = std::chrono::steady_clock;

// A supervisor that has recorded the end of its app may still have to remove what belongs to the
// app. After this time all child processes are killed, and after twice this time end_descendants()
// gives up.
constexpr auto kGrace = std::chrono::seconds(5);

// Returns whether any child process is left, after reaping those that have ended.
bool has_children() {
  for (;;) {
    const pid_t ended = ::waitpid(-1, nullptr, WNOHANG);
    if (ended <= 0) return ended == 0;
  }
}

void wait_for_sigchld(Clock::duration at_most) {
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(at_most).count();
  const timespec time{static_cast<time_t>(ns / 1'000'000'000), ns % 1'000'000'000};
  sigset_t only;
  ::sigemptyset(&only);
  ::sigaddset(&only, SIGCHLD);
  ::sigtimedwait(&only, nullptr, &time);
}

void kill_children() {
  std::ifstream children("/proc/self/task/" + std::to_string(::gettid()) + "/children");
  for (pid_t pid = 0; children >> pid;) ::kill(pid, SIGKILL);
}

}  // namespace

void adopt_descendants() { ::prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL); }

void end_descendants() {
  const auto deadline = Clock::now() + kGrace;
  // A process of another user, or one that waits for a device, cannot be killed.
  const auto give_up = deadline + kGrace;
  while (has_children() && Clock::now() < give_up) {
    const auto left = deadline - Clock::now();
    if (left > Clock::duration::zero()) {
      wait_for_sigchld(left);
    } else {
      // The children of a killed process become children of this one, and the next round kills
      // them.
      kill_children();
      wait_for_sigchld(std::chrono::milliseconds(100));
    }
  }
}

}  // namespace slipway::check
