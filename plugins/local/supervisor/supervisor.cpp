#include "plugins/local/supervisor/supervisor.hpp"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <optional>

#include "plugins/local/engine/control_socket.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/helper_process.hpp"
#include "plugins/local/supervisor/ending/replica_signals.hpp"
#include "plugins/local/supervisor/ending/stop_messages.hpp"
#include "plugins/local/supervisor/supervisor_loop.hpp"

namespace slipway::local {
namespace {

constexpr int kEvents = 16;
/// Removing a record takes some time from its first file to its directory.
constexpr std::int64_t kRecordLookNs = 1'000'000'000;
constexpr std::size_t kWorthGivingBack = std::size_t{128} * 1024;

std::optional<rlimit> raise_open_files() {
  rlimit before{};
  if (::getrlimit(RLIMIT_NOFILE, &before) != 0 || before.rlim_cur == before.rlim_max)
    return std::nullopt;
  rlimit most = before;
  most.rlim_cur = most.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &most) != 0) return std::nullopt;
  return before;
}

OwnedFd checked(int fd, const char* what) {
  if (fd < 0) throw system_error(Code::kUnavailable, "cannot make", what, errno);
  return OwnedFd(fd);
}

/// As waitpid() would have told it.
int wait_status(const siginfo_t& info) {
  if (info.si_code == CLD_EXITED) return (info.si_status & 0xFF) << 8;
  return info.si_code == CLD_DUMPED ? info.si_status | 0x80 : info.si_status;
}

}  // namespace

Supervisor::Supervisor(SupervisorStart start)
    : start_(std::move(start)),
      files_(start_.app_dir_fd, start_.log_dir_fd, *start_.plan),
      open_files_(raise_open_files()),
      rounds_(files_),
      cgroups_(*start_.plan),
      replicas_(files_, rounds_, cgroups_),
      rules_(files_, replicas_, rounds_),
      foreign_(files_, replicas_),
      ladder_(replicas_, foreign_, cgroups_),
      stopper_(files_, replicas_, ladder_),
      limits_(files_, replicas_),
      readiness_(files_, replicas_, open_files_),
      dependencies_(files_, replicas_, rounds_),
      queue_(files_, replicas_, rounds_, dependencies_),
      restarts_(files_, replicas_, rounds_, ladder_, stopper_, queue_),
      launcher_(files_, *start_.gpus, cgroups_, open_files_),
      log_faults_(files_),
      epoll_(checked(::epoll_create1(EPOLL_CLOEXEC), "an epoll descriptor")),
      control_(std::move(start_.listener),
               {[this](std::int64_t grace_ms) { cancel(grace_ms, false); },
                [this] { cancel(0, true); }, [this] { repair(StateDepth::kAll); },
                [this](int signal, std::uint32_t from, std::uint64_t chosen) {
                  repair(StateDepth::kAll);
                  return signal_running(replicas_, ladder_, signal, from, chosen);
                },
                [this] { repair(StateDepth::kHeader); }}) {
  sigset_t wanted;
  ::sigemptyset(&wanted);
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGIO}) ::sigaddset(&wanted, signal);
  signals_ = checked(::signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK), "a signal descriptor");
  // The warden is one already, and to say so again takes a walk over all that it has inherited.
  if (start_.mode != SupervisorMode::kTakeOver) ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  watch(signals_.get(), kSignals);
  files_.signal_removals();
  watch(alarm_.event_fd(), kAlarm);
  watch(control_.event_fd(), kControl);
  if (start_.owner) watch(start_.owner.get(), kOwner, EPOLLIN | EPOLLRDHUP);
  if (replicas_.merger() != nullptr) watch(replicas_.merger()->event_fd(), kMerger);
  if (readiness_.event_fd() >= 0) watch(readiness_.event_fd(), kProbes);
}

void Supervisor::watch(int fd, Source source, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.u32 = source;
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0) {
    throw system_error(Code::kUnavailable, "cannot watch",
                       source == kOwner ? "the owner" : "a descriptor", errno);
  }
}

void Supervisor::acknowledge() {
  const bool first = files_.state().header().acknowledged.load() == 0;
  if (first) {
    files_.edit_header().acknowledged.store(1);
    files_.keep_header();
  }
  if (!start_.ack) return;
  const bool heard = write_all(start_.ack.get(), std::string_view(&kAckByte, 1));
  start_.ack.reset();
  // Nobody knows this app: it must not run.
  if (first && !heard && start_.mode != SupervisorMode::kRecover)
    stop(StopCause::kCancel, 0, true,
         "the command that submitted it died before the app was started");
}

/// Stops the app because a client asks for it. What is signalled then must be what was recorded.
void Supervisor::cancel(std::int64_t grace_ms, bool now) {
  repair(StateDepth::kAll);
  stop(StopCause::kCancel, grace_ms, now, "");
}

void Supervisor::repair(StateDepth depth) {
  if (files_.repair(depth))
    files_.events().add(files_.changed(), "state.bin was damaged or removed, and put right");
}

void Supervisor::stop(StopCause cause, std::int64_t grace_ms, bool now, std::string_view message) {
  if (replicas_.open() == 0) return;
  StateHeader& header = files_.edit_header();
  const bool first = files_.state().stop_cause() == StopCause::kNone;
  if (grace_ms < 0) grace_ms = header.fixed.grace_ms;
  // A later request may only hurry things.
  const bool sooner = first || grace_ms < header.stop_grace_ms.load();
  if (sooner) header.stop_grace_ms.store(grace_ms);
  if (now) header.kill_now.store(1);
  if (first) {
    forget_shortage();
    readiness_.stop();
    if (replicas_.merger() != nullptr) replicas_.merger()->leave_watches();
    if (!message.empty()) files_.set_message(message);
    files_.edit_header().stop_cause.store(static_cast<std::uint32_t>(cause),
                                          std::memory_order_release);
    tell_stopping();
    replicas_.cancel_pending();
  }
  if (now) {
    if (!ladder_.killing()) ladder_.kill_all();
    return;
  }
  if (first) ladder_.terminate();
  if (sooner && !ladder_.killing()) ladder_.arm(grace_ms);
}

void Supervisor::tell_stopping() {
  const bool cancels = files_.state().stop_cause() == StopCause::kCancel;
  files_.events().add(files_.changed(), cancels ? "app CANCELLING" : "app STOPPING");
}

void Supervisor::reap() {
  for (;;) {
    siginfo_t info{};
    if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
      no_children_ = errno == ECHILD;
      break;
    }
    if (info.si_pid == 0) break;
    const std::uint32_t index = replicas_.find(info.si_pid);
    if (index != PidTable::kNone) {
      replicas_.ended(index, wait_status(info));
      if (!is_final(replicas_.state(index))) ladder_.kill_session(info.si_pid);
      // A slot is free: what the system had no room for may fit now.
      back_off_until_ = kNever;
    } else if (!readiness_.ended(info.si_pid, wait_status(info))) {
      had_strays_ = true;
      if (start_.mode != SupervisorMode::kRun) readiness_.clear_left();
    }
    // Only now may the number be given to somebody else.
    ::waitid(P_PID, static_cast<id_t>(info.si_pid), &info, WEXITED | WNOHANG);
  }
  if (no_children_ && !foreign_.used()) replicas_.lose_running();
  if (ladder_.killing() && !no_children_) ladder_.kill_own_strays();
}

bool Supervisor::all_gone() {
  if (replicas_.open() != 0) return false;
  if (!no_children_) {
    reap();
    if (!no_children_) {
      had_strays_ = true;
      if (ladder_.killing()) {
        ladder_.kill_own_strays();
      } else if (ladder_.in_grace()) {
        ladder_.terminate_strays();
      } else {
        ladder_.kill_all();
      }
      return false;
    }
  }
  if (foreign_.used()) foreign_.kill_strays();
  return true;
}

void Supervisor::on_signals() {
  signalfd_siginfo infos[16];
  bool terminate = false;
  bool renew = false;
  bool removed = false;
  for (ssize_t n = 0; (n = ::read(signals_.get(), infos, sizeof infos)) > 0;) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(n) / sizeof infos[0]; ++i) {
      terminate = terminate || infos[i].ssi_signo == SIGTERM || infos[i].ssi_signo == SIGINT;
      renew = renew || infos[i].ssi_signo == SIGHUP;
      removed = removed || infos[i].ssi_signo == SIGIO;
    }
  }
  reap();
  if (removed) record_due_ = boottime_ns() + kRecordLookNs;
  if (renew) {
    repair(StateDepth::kAll);
    renew_socket();
  }
  if (terminate)
    stop(StopCause::kCancel, -1, false, "cancelled because its supervisor was told to terminate");
}

/// Puts the socket back when its name is gone: a client that finds the lock held and nobody
/// listening asks for that with SIGHUP.
void Supervisor::renew_socket() {
  if (socket_inode(files_.dir_fd()) == start_.socket_inode) return;
  OwnedFd listener = listen_control(files_.dir_fd());
  if (!listener) return;
  start_.socket_inode = socket_inode(files_.dir_fd());
  control_.listen_on(std::move(listener));
}

void Supervisor::on_alarm() {
  alarm_.clear();
  const std::int64_t now = boottime_ns();
  if (back_off_until_ <= now) back_off_until_ = kNever;
  ladder_.on_time(now);
  stopper_.on_time(now);
  look_for_record(now);
  if (files_.state().stop_cause() != StopCause::kNone) return;
  if (limits_.app_due() <= now)
    return stop(StopCause::kAppTimeout, -1, false, app_timeout_message(files_.plan().rules));
  for (std::uint32_t i = limits_.take_due(now); i != PidTable::kNone; i = limits_.take_due(now)) {
    if (rounds_.is_old(i)) continue;
    replicas_.timed_out(i);
    stopper_.stop(i);
  }
  look_whether_ready(now);
}

/// When the clock alone brings something to do.
std::int64_t Supervisor::next_due() {
  std::int64_t due = std::min({ladder_.next_due(), stopper_.next_due(), record_due_});
  if (files_.state().stop_cause() != StopCause::kNone) return due;
  due = std::min(
      {due, back_off_until_, limits_.next_due(), limits_.app_due(), readiness_.next_due()});
  return may_launch() ? std::min(due, queue_.next_due()) : due;
}

void Supervisor::on_owner() {
  char buffer[256];
  // Readable, so this does not block; the descriptor's flags are the owner's too and stay as they
  // are.
  const ssize_t n = ::read(start_.owner.get(), buffer, sizeof buffer);
  if (n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN))) return;
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, start_.owner.get(), nullptr);
  start_.owner.reset();
  stop(StopCause::kCancel, -1, false, "cancelled because the command that started it has ended");
}

void Supervisor::dispatch(Source source) {
  switch (source) {
    case kSignals: return on_signals();
    case kAlarm: return on_alarm();
    case kControl: return control_.on_event();
    case kOwner: return on_owner();
    case kMerger: return replicas_.merger()->on_event();
    case kForeign: return foreign_.on_event();
    case kProbes: return readiness_.on_event();
  }
}

void Supervisor::publish() {
  files_.finish_edits();
  // A file that comes back while its directory is being removed would keep that from being removed.
  if (record_due_ == kNever) repair(StateDepth::kSize);
  if (replicas_.merger() != nullptr) log_faults_.tell(replicas_.merger()->error());
  files_.events().flush();
  const StateHeader& header = files_.state().header();
  constexpr unsigned kStateBits = 8;
  const std::uint64_t messages = files_.message_changes() << kStateBits;
  control_.publish(header.sequence.load(), messages | header.app_state.load());
}

int Supervisor::wait(epoll_event* events, bool may_block) {
  const int n = ::epoll_wait(epoll_.get(), events, kEvents, 0);
  if (n != 0 || !may_block) return n;
  // Nobody knows for how long.
  if (files_.state().size() >= kWorthGivingBack) files_.state().give_back_pages();
  return ::epoll_wait(epoll_.get(), events, kEvents, -1);
}

int Supervisor::run() {
  StateHeader& header = files_.edit_header();
  header.supervisor_pid.store(::getpid());
  header.warden_pid.store(start_.mode == SupervisorMode::kTakeOver ? 0 : ::getppid());
  if (start_.mode == SupervisorMode::kRun) {
    files_.events().add(header.sequence.load(), "app SUBMITTED", header.fixed.submitted_ns);
    // A state that is damaged when both helpers are dead can be written again from here on.
    files_.events().flush();
    readiness_.mark_all();
  } else {
    tell_again();
    renew_socket();
    resume();
  }
  // Before anything is started: who does not hear it takes the app back. Who had an app recovered
  // asks for its state next, so that answer waits until a state that is over says so.
  if (start_.mode != SupervisorMode::kRecover) acknowledge();
  for (;;) {
    settle_failures();
    readiness_.tidy();
    sweep();
    launch_slice();
    if (all_gone()) break;
    // Who had this app recovered asks for its state next: an app that is over must say so by then.
    acknowledge();
    publish();
    const bool more = may_launch() && queue_.next() != PidTable::kNone;
    alarm_.set(more ? kNever : next_due());
    epoll_event events[kEvents];
    const int n = wait(events, !more);
    for (int i = 0; i < n; ++i) dispatch(static_cast<Source>(events[i].data.u32));
  }
  const int status = finish();
  acknowledge();
  return status;
}

/// Looks, some time after a file was removed from the app's record, whether all of the record was.
/// Without a record no command finds the app, so it must not go on.
void Supervisor::look_for_record(std::int64_t now_ns) {
  if (record_due_ > now_ns) return;
  record_due_ = kNever;
  if (!files_.has_record())
    stop(StopCause::kCancel, -1, false, "cancelled because its record was removed");
}

int supervise(SupervisorStart start) {
  Supervisor supervisor(std::move(start));
  try {
    return supervisor.run();
  } catch (const std::exception&) {
    // Out of memory in mid-flight: the warden has a fresh start.
    return kSupervisorFailed;
  }
}

}  // namespace slipway::local
