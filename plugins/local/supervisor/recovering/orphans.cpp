#include "plugins/local/supervisor/recovering/orphans.hpp"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string>
#include <thread>

#include "plugins/local/supervisor/processes/app_mark.hpp"
#include "plugins/local/supervisor/processes/process_identity.hpp"
#include "sdk/support/system_error.hpp"

namespace slipway::local {

namespace {

/// Returns whether enough descriptors are left to read /proc. Without them every process would seem
/// to be gone. The kernel always gives the lowest free number, so `fd` shows how many are in use.
bool leaves_room(int fd) {
  constexpr rlim_t kForReading = 8;  // descriptors
  rlimit limit{};
  return ::getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
         static_cast<rlim_t>(fd) + kForReading < limit.rlim_cur;
}

}  // namespace

Orphans::Orphans(AppFiles& files, Replicas& replicas)
    : files_(files), replicas_(replicas), members_(files.mark()) {}

void Orphans::remember_sessions(bool both_died) {
  may_exist_ = both_died;
  for (std::uint32_t i = 0; i < replicas_.count(); ++i) {
    if (replicas_.pid(i) > 0)
      members_.add_session(replicas_.pid(i), start_window(files_.state().entry(i)));
  }
}

void Orphans::take_over(std::uint32_t index) {
  may_exist_ = true;
  const ReplicaEntry entry = files_.state().entry(index);
  const std::int32_t pid = replicas_.pid(index);
  if (!epoll_) epoll_.reset(::epoll_create1(EPOLL_CLOEXEC));
  OwnedFd pidfd = epoll_ ? open_recorded(entry) : OwnedFd();
  ProcessStat stat;
  // The process may run, but the system refuses a pidfd to watch it.
  if (!pidfd && errno != 0 && !is_shortage(errno) && read_process(pid, stat) &&
      is_recorded(entry, stat)) {
    ::kill(-pid, SIGKILL);
  }
  if (!pidfd && is_shortage(errno))
    throw system_error(Code::kUnavailable, "cannot examine process", std::to_string(pid), errno);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u32 = index;
  if (!pidfd || !leaves_room(pidfd.get()) ||
      ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, pidfd.get(), &event) != 0) {
    if (pidfd) signal_group(pidfd.get(), pid, SIGKILL);
    replicas_.record_lost(index);
    return;
  }
  pidfds_.emplace(index, std::move(pidfd));
  replicas_.record_take_over(index, pid);
}

void Orphans::on_event() {
  epoll_event events[64];
  const int n = ::epoll_wait(epoll_.get(), events, 64, 0);
  for (int i = 0; i < n; ++i) {
    const std::uint32_t index = events[i].data.u32;
    const auto at = pidfds_.find(index);
    if (at == pidfds_.end()) continue;
    std::int32_t status = 0;
    const bool reaped = (events[i].events & EPOLLHUP) != 0;
    const Ending ending = ending_of(at->second.get(), files_.state().entry(index), reaped, status);
    if (ending == Ending::kRunning) {
      // Its parent is reaping it at this moment (state X), or a shortage hides its status. The
      // descriptor stays readable, so the next turn looks again. Before Linux 6.9 a pidfd reports
      // no hang-up when the process is reaped, so this cannot wait for one.
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      continue;
    }
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, at->second.get(), nullptr);
    pidfds_.erase(at);
    if (ending == Ending::kKnown) {
      replicas_.record_end(index, status, {});
    } else {
      replicas_.record_lost(index);
    }
  }
}

bool Orphans::signal(std::uint32_t index, std::int32_t pid, int signal) {
  const auto at = pidfds_.find(index);
  return at != pidfds_.end() && signal_group(at->second.get(), pid, signal);
}

std::vector<Member> Orphans::strays() const {
  std::vector<Member> members = members_.find();
  const auto recorded = [&](const Member& member) {
    return replicas_.find(member.pid) != kNoReplica;
  };
  members.erase(std::remove_if(members.begin(), members.end(), recorded), members.end());
  return members;
}

void Orphans::signal_strays(int signal) {
  for (const Member& member : strays()) {
    if (replicas_.find(::getpgid(member.pid)) == kNoReplica) signal_member(member, signal);
  }
}

void Orphans::kill_marked(std::string_view mark) {
  for (const Member& member : strays()) {
    if (has_mark(member.pid, mark)) signal_member(member, SIGKILL);
  }
}

void Orphans::kill_strays() {
  kill_until_none([this] { return strays(); });
}

}  // namespace slipway::local
