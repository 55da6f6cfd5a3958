#include "plugins/local/supervisor/foreign_replicas.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "plugins/local/supervisor/process_identity.hpp"
#include "plugins/local/supervisor/process_tree.hpp"

namespace slipway::local {

void ForeignReplicas::remember_sessions() {
  for (std::uint32_t i = 0; i < replicas_.count(); ++i) {
    if (replicas_.pid(i) > 0)
      sessions_.emplace(replicas_.pid(i), start_window(files_.state().record(i)));
  }
}

void ForeignReplicas::adopt(std::uint32_t index) {
  used_ = true;
  if (!epoll_) epoll_.reset(::epoll_create1(EPOLL_CLOEXEC));
  const ReplicaRecord& record = files_.state().record(index);
  const std::int32_t pid = replicas_.pid(index);
  OwnedFd pidfd = open_recorded(record);
  ProcessStat stat;
  if (!pidfd && errno != 0 && read_process(pid, stat) && is_recorded(record, stat))
    ::kill(-pid, SIGKILL);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u32 = index;
  if (!pidfd || ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, pidfd.get(), &event) != 0) {
    if (pidfd) signal_group(pidfd.get(), pid, SIGKILL);
    replicas_.lost(index);
    return;
  }
  pidfds_.emplace(index, std::move(pidfd));
  replicas_.runs(index, pid, true);
}

void ForeignReplicas::on_event() {
  epoll_event events[64];
  const int n = ::epoll_wait(epoll_.get(), events, 64, 0);
  for (int i = 0; i < n; ++i) {
    const std::uint32_t index = events[i].data.u32;
    const auto at = pidfds_.find(index);
    if (at == pidfds_.end()) continue;
    std::int32_t status = 0;
    const bool reaped = (events[i].events & EPOLLHUP) != 0;
    const Ending ending = ending_of(at->second.get(), files_.state().record(index), reaped, status);
    if (ending == Ending::kRunning) {
      // Ended, yet neither a zombie nor reaped at this instant: only the hang-up is left to wait
      // for.
      epoll_event hang_up{};
      hang_up.data.u32 = index;
      ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, at->second.get(), &hang_up);
      continue;
    }
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, at->second.get(), nullptr);
    pidfds_.erase(at);
    if (ending == Ending::kKnown) {
      replicas_.ended(index, status);
    } else {
      replicas_.lost(index);
    }
  }
}

void ForeignReplicas::signal(std::uint32_t index, std::int32_t pid, int signal) {
  const auto at = pidfds_.find(index);
  if (at != pidfds_.end()) signal_group(at->second.get(), pid, signal);
}

std::vector<std::int32_t> ForeignReplicas::strays() const {
  std::unordered_map<std::int32_t, bool> known;
  const auto is_ours = [&](std::int32_t session) {
    const auto window = sessions_.find(session);
    if (window == sessions_.end()) return false;
    const auto [verdict, fresh] = known.emplace(session, true);
    ProcessStat leader;
    // The number of a session is not given away while a process is in it; a leader that is not ours
    // says that it was.
    if (fresh && read_process(session, leader)) {
      verdict->second = started_in(window->second, leader);
    }
    return verdict->second;
  };
  std::vector<std::int32_t> members = session_members(is_ours);
  const auto recorded = [&](std::int32_t pid) { return replicas_.find(pid) != PidTable::kNone; };
  members.erase(std::remove_if(members.begin(), members.end(), recorded), members.end());
  return members;
}

void ForeignReplicas::signal_strays(int signal) {
  for (const std::int32_t pid : strays()) {
    if (replicas_.find(::getpgid(pid)) == PidTable::kNone) ::kill(pid, signal);
  }
}

void ForeignReplicas::kill_strays() {
  for (std::vector<std::int32_t> left = strays(); !left.empty(); left = strays()) {
    for (const std::int32_t pid : left) {
      OwnedFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
      if (!pidfd || ::syscall(SYS_pidfd_send_signal, pidfd.get(), SIGKILL, nullptr, 0) != 0) {
        if (errno == EPERM) return;
        continue;
      }
      pollfd gone{pidfd.get(), POLLIN, 0};
      while (::poll(&gone, 1, -1) < 0 && errno == EINTR) {
      }
    }
  }
}

}  // namespace slipway::local
