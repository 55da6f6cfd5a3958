#include "plugins/local/supervisor/kill_ladder.hpp"

#include <signal.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cerrno>

#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/supervisor/process_tree.hpp"

namespace slipway::local {

KillLadder::KillLadder(Replicas& replicas, ForeignReplicas& foreign)
    : replicas_(replicas),
      foreign_(foreign),
      timer_(::timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK)) {
  if (!timer_) throw system_error(Code::kUnavailable, "cannot make", "a timer", errno);
}

void KillLadder::on_event() {
  std::uint64_t expirations = 0;
  if (::read(timer_.get(), &expirations, sizeof expirations) > 0 && !killing_) kill_all();
}

void KillLadder::terminate() { signal_all(SIGTERM); }

void KillLadder::arm(std::int64_t ms) {
  if (ms == 0) return kill_all();
  itimerspec when{};
  when.it_value.tv_sec = ms / 1000;
  when.it_value.tv_nsec = ms % 1000 * 1'000'000;
  ::timerfd_settime(timer_.get(), 0, &when, nullptr);
}

void KillLadder::signal_all(int signal) {
  const auto send = [this](int number) {
    replicas_.for_each_running([&](std::uint32_t index, std::int32_t pid) {
      if (foreign_.owns(index)) {
        foreign_.signal(index, pid, number);
      } else if (::kill(-pid, number) != 0) {
        // A child whose supervisor died in mid-start may not lead its group yet.
        ::kill(pid, number);
      }
    });
  };
  send(signal);
  if (signal == SIGKILL) return;
  // Stopped processes must wake up to see it.
  send(SIGCONT);
  for (const std::int32_t pid : all_descendants()) {
    if (replicas_.find(pid) != PidTable::kNone || replicas_.find(::getpgid(pid)) != PidTable::kNone)
      continue;
    ::kill(pid, signal);
    ::kill(pid, SIGCONT);
  }
  if (foreign_.used()) foreign_.signal_strays(signal);
}

void KillLadder::kill_all() {
  killing_ = true;
  signal_all(SIGKILL);
  for (const std::int32_t pid : all_descendants()) {
    if (replicas_.find(pid) == PidTable::kNone) ::kill(pid, SIGKILL);
  }
  if (foreign_.used()) foreign_.signal_strays(SIGKILL);
}

/// Descendants come to us one generation after the other as their parents die; each death wakes us
/// up.
void KillLadder::kill_own_strays() {
  for (const std::int32_t pid : direct_children()) {
    if (replicas_.find(pid) == PidTable::kNone) ::kill(pid, SIGKILL);
  }
}

}  // namespace slipway::local
