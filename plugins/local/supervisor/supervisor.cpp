#include "plugins/local/supervisor/supervisor.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "plugins/local/engine/app_rules.hpp"
#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/engine/control_socket.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/helper_process.hpp"
#include "plugins/local/supervisor/control_server.hpp"
#include "plugins/local/supervisor/ending/app_end.hpp"
#include "plugins/local/supervisor/ending/app_stopper.hpp"
#include "plugins/local/supervisor/ending/end_command.hpp"
#include "plugins/local/supervisor/ending/kill_ladder.hpp"
#include "plugins/local/supervisor/ending/reaper.hpp"
#include "plugins/local/supervisor/ending/service_stopper.hpp"
#include "plugins/local/supervisor/ending/time_limits.hpp"
#include "plugins/local/supervisor/event_sources.hpp"
#include "plugins/local/supervisor/probing/readiness.hpp"
#include "plugins/local/supervisor/record/app_files.hpp"
#include "plugins/local/supervisor/record/record_watch.hpp"
#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/record/rounds.hpp"
#include "plugins/local/supervisor/recovering/orphans.hpp"
#include "plugins/local/supervisor/recovering/take_over.hpp"
#include "plugins/local/supervisor/retrying/failure_rules.hpp"
#include "plugins/local/supervisor/retrying/failures.hpp"
#include "plugins/local/supervisor/retrying/restarts.hpp"
#include "plugins/local/supervisor/starting/dependencies.hpp"
#include "plugins/local/supervisor/starting/start_pause.hpp"
#include "plugins/local/supervisor/starting/start_queue.hpp"
#include "plugins/local/supervisor/starting/starter.hpp"
#include "plugins/local/supervisor/timing/due_queue.hpp"
#include "slipway/abi/scheduler.h"
#include "slipway/error.hpp"

namespace slipway::local {
namespace {

/// Raises the soft limit of open files to the hard limit. Returns the original limits, which
/// replicas get; nullopt if they stay the same.
std::optional<rlimit> raise_open_files() {
  rlimit original{};
  if (::getrlimit(RLIMIT_NOFILE, &original) != 0 || original.rlim_cur == original.rlim_max)
    return std::nullopt;
  rlimit raised = original;
  raised.rlim_cur = raised.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &raised) != 0) return std::nullopt;
  return original;
}

/// The event loop: hands each event to the part that it concerns. After each batch of events the
/// parts act in a fixed order. Its only decisions about the app itself are to cancel or stop it.
class Supervisor {
 public:
  explicit Supervisor(SupervisorStart start);
  /// Takes the app over or begins it. Starts no process. Throws as TakeOver::run() does.
  void begin();
  /// Runs the event loop until the end of the app.
  int run();

 private:
  ControlRequests control_requests();
  void begin_app();
  void take_over();
  void act();
  void acknowledge();
  void publish();
  std::int64_t next_due(bool has_more);
  void dispatch(Source source);
  void on_signals();
  void on_alarm();
  void stop_overdue(std::int64_t now_ns);
  void on_owner();
  void release();
  void renew_socket();
  int finish();

  bool is_stopping() { return files_.state().stop_cause() != StopCause::kNone; }

  SupervisorStart start_;
  AppFiles files_;
  std::optional<rlimit> open_files_;
  RecordWatch record_watch_;
  Rounds rounds_;
  ReplicaCgroups cgroups_;
  Replicas replicas_;
  Orphans orphans_;
  KillLadder ladder_;
  TimeLimits limits_;
  Readiness readiness_;
  Dependencies dependencies_;
  StartQueue queue_;
  StartPause pause_;
  AppStopper app_stopper_;
  ServiceStopper service_stopper_;
  Reaper reaper_;
  FailureRules rules_;
  Restarts restarts_;
  Failures failures_;
  Starter starter_;
  EventSources events_;
  ControlServer control_;
};

Supervisor::Supervisor(SupervisorStart start)
    : start_(std::move(start)),
      files_(start_.app_dir_fd, start_.log_dir_fd, *start_.plan),
      open_files_(raise_open_files()),
      record_watch_(start_.app_dir_fd),
      rounds_(files_),
      cgroups_(*start_.plan),
      replicas_(files_, rounds_, cgroups_),
      orphans_(files_, replicas_),
      ladder_(files_, replicas_, orphans_, cgroups_),
      limits_(files_, replicas_),
      readiness_(files_, replicas_, open_files_),
      dependencies_(files_, replicas_, rounds_),
      queue_(files_, replicas_, rounds_, dependencies_),
      pause_(files_),
      app_stopper_(files_, replicas_, ladder_, readiness_, pause_),
      service_stopper_(files_, replicas_, ladder_, readiness_),
      reaper_(replicas_, readiness_, orphans_, ladder_, pause_,
              start_.mode != SupervisorMode::kRun),
      rules_(files_, replicas_, rounds_),
      restarts_(files_, replicas_, rounds_, ladder_, queue_),
      failures_(files_, replicas_, rules_, restarts_, dependencies_, readiness_, pause_,
                app_stopper_),
      starter_({files_, replicas_, rounds_, dependencies_, queue_, pause_, limits_, readiness_,
                app_stopper_},
               *start_.gpus, cgroups_, open_files_),
      control_(std::move(start_.listener), control_requests()) {
  // The warden is a subreaper already. A second call would walk over all children that it has
  // inherited.
  if (start_.mode != SupervisorMode::kTakeOver) ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  events_.add(control_.event_fd(), Source::kControl);
  if (files_.state().header().acknowledged.load() == kReleased) start_.owner.reset();
  if (start_.owner) events_.add(start_.owner.get(), Source::kOwner, EPOLLIN | EPOLLRDHUP);
  if (replicas_.merger() != nullptr) events_.add(replicas_.merger()->event_fd(), Source::kMerger);
  if (readiness_.event_fd() >= 0) events_.add(readiness_.event_fd(), Source::kProbes);
}

/// Each request first repairs the part of the state that it relies on.
ControlRequests Supervisor::control_requests() {
  ControlRequests requests;
  requests.cancel = [this](std::int64_t grace_ms, const std::string& by) {
    files_.repair(StateDepth::kAll);
    app_stopper_.cancel(grace_ms, "cancelled by " + by);
  };
  requests.kill = [this](const std::string& by) {
    files_.repair(StateDepth::kAll);
    app_stopper_.cancel_now("cancelled by " + by);
  };
  requests.mend = [this] { files_.repair(StateDepth::kAll); };
  requests.signal = [this](int signal, std::uint32_t from, std::uint64_t chosen) {
    files_.repair(StateDepth::kAll);
    return ladder_.signal_chosen(signal, from, chosen);
  };
  requests.watch = [this] { files_.repair(StateDepth::kHeader); };
  return requests;
}

void Supervisor::begin() {
  StateHeader& header = files_.edit_header();
  header.supervisor_pid.store(::getpid());
  header.warden_pid.store(start_.mode == SupervisorMode::kTakeOver ? 0 : ::getppid());
  if (start_.mode == SupervisorMode::kRun) {
    begin_app();
  } else {
    take_over();
  }
}

int Supervisor::run() {
  // A submitter that gets no acknowledgement removes the app, so it must come before the first
  // start. On recovery the caller reads the state next, so the answer waits for the first turn: the
  // record must have a terminal state by then if the app has ended.
  if (start_.mode != SupervisorMode::kRecover) acknowledge();
  for (;;) {
    act();
    if (reaper_.all_gone()) break;
    acknowledge();
    publish();
    // If more replicas can start, only handles the events that have come already.
    const bool has_more = starter_.has_more();
    events_.set_alarm(next_due(has_more));
    for (const Source source : events_.next(!has_more, [this] { files_.rest(); })) dispatch(source);
  }
  const int status = finish();
  acknowledge();
  return status;
}

void Supervisor::begin_app() {
  const StateHeader& header = files_.state().header();
  files_.events().add(header.sequence.load(), "app SUBMITTED", header.fixed.submitted_ns);
  // From here on a damaged state file can be rebuilt from the journal.
  files_.events().flush();
  readiness_.mark_all();
}

void Supervisor::take_over() {
  // The predecessor may have died before it wrote its last lines, so they come again.
  files_.events().add(files_.changed(), "supervisor replaced");
  if (files_.state().header().started_ns.load() != 0) starter_.journal_running();
  if (is_stopping()) app_stopper_.journal_stop();
  replicas_.repeat_end_lines();
  renew_socket();
  TakeOver({files_, replicas_, orphans_, limits_, readiness_, ladder_, app_stopper_, restarts_,
            *start_.gpus},
           start_.mode == SupervisorMode::kTakeOver, start_.both_died)
      .run();
  if (orphans_.event_fd() >= 0) events_.add(orphans_.event_fd(), Source::kOrphans);
}

/// Lets the parts act on the events of this turn.
void Supervisor::act() {
  failures_.decide();
  readiness_.drop_obsolete();
  if (rounds_.awaits_old_processes() && !is_stopping() && reaper_.clear_old_round()) {
    // In the new round roles wait for others again.
    dependencies_.update();
    restarts_.begin_app_round();
  }
  if (starter_.may_start()) failures_.fail_dependents();
  service_stopper_.advance();
  starter_.start_some();
}

/// Answers the command that submitted or recovered the app, once. If the submitter is gone, the app
/// has no user and is cancelled.
void Supervisor::acknowledge() {
  const bool is_first = files_.state().header().acknowledged.load() == 0;
  if (is_first) {
    files_.edit_header().acknowledged.store(kAcknowledged);
    files_.save_header();
  }
  if (!start_.ack) return;
  const bool is_delivered = write_all(start_.ack.get(), std::string_view(&kAckByte, 1));
  start_.ack.reset();
  if (is_first && !is_delivered && start_.mode != SupervisorMode::kRecover)
    app_stopper_.cancel_now("the command that submitted it died before the app was started");
}

/// Makes the changes of this turn visible in the state file, in the journal and to watchers.
void Supervisor::publish() {
  files_.finish_edits();
  // A removal of the record wakes the supervisor by its first file. A new `state.bin` would then
  // prevent the removal of the directory. The other calls of repair(), for clients and the app's
  // end, need the file; if one comes during a removal, that removal fails; the user can repeat it.
  if (!record_watch_.is_suspicious()) files_.repair(StateDepth::kSize);
  replicas_.report_log_faults();
  files_.events().flush();
  const StateHeader& header = files_.state().header();
  // The second number differs after each change of the app's state or message.
  constexpr unsigned kStateBits = 8;
  const std::uint64_t messages = files_.message_changes() << kStateBits;
  control_.publish(header.sequence.load(), messages | header.app_state.load());
}

/// Returns the next time on CLOCK_BOOTTIME, in ns, at which a part must act without an event;
/// kNever if there is none. With `has_more`, leaves out starts, which the next turn makes in any
/// case.
std::int64_t Supervisor::next_due(bool has_more) {
  const std::int64_t due =
      std::min({ladder_.next_due(), record_watch_.next_due(), control_.next_due()});
  if (is_stopping()) return due;
  const std::int64_t running =
      std::min({due, pause_.until(), limits_.next_due(), limits_.app_due(), readiness_.next_due()});
  return starter_.may_start() && !has_more ? std::min(running, queue_.next_due()) : running;
}

void Supervisor::dispatch(Source source) {
  switch (source) {
    case Source::kSignals: return on_signals();
    case Source::kAlarm: return on_alarm();
    case Source::kControl: return control_.on_event();
    case Source::kOwner: return on_owner();
    case Source::kMerger: return replicas_.merger()->on_event();
    case Source::kOrphans: return orphans_.on_event();
    case Source::kProbes: return readiness_.on_event();
  }
}

void Supervisor::on_signals() {
  const SignalEvents signals = events_.read_signals();
  reaper_.reap();
  if (signals.file_removed) record_watch_.file_removed();
  if (signals.renew_socket) {
    files_.repair(StateDepth::kAll);
    renew_socket();
  }
  if (signals.terminate)
    app_stopper_.cancel(kGraceOfRoles,
                        "cancelled because its supervisor received a signal to terminate");
}

void Supervisor::on_alarm() {
  events_.clear_alarm();
  const std::int64_t now = boottime_ns();
  pause_.end_if_due(now);
  ladder_.on_time(now);
  control_.on_time(now);
  if (record_watch_.finds_removal(now))
    app_stopper_.cancel(kGraceOfRoles, "cancelled because its record was removed");
  if (is_stopping()) return;
  if (limits_.app_due() <= now) {
    app_stopper_.stop(StopCause::kAppTimeout, "the app took longer than its app_timeout_s of " +
                                                  seconds_text(files_.plan().rules.app_timeout_ms) +
                                                  " seconds");
    return;
  }
  stop_overdue(now);
}

/// Stops the replicas that have run for too long or were not ready in time. A replica of an old
/// round is being stopped already.
void Supervisor::stop_overdue(std::int64_t now_ns) {
  for (std::uint32_t i = limits_.take_due(now_ns); i != kNoReplica; i = limits_.take_due(now_ns)) {
    if (rounds_.is_old(i)) continue;
    replicas_.record_timeout(i);
    ladder_.stop_one(i);
  }
  readiness_.on_time(now_ns);
  for (std::uint32_t i = readiness_.take_overdue(now_ns); i != kNoReplica;
       i = readiness_.take_overdue(now_ns)) {
    if (rounds_.is_old(i)) continue;
    replicas_.record_not_ready(i);
    ladder_.stop_one(i);
  }
}

/// Cancels an owned app whose owner has ended. Lets it continue if the owner gave it up before.
void Supervisor::on_owner() {
  const int fd = start_.owner.get();
  // The byte stays in the socket until the record has the release, so that a successor finds it.
  char first = 0;
  const ssize_t peeked = ::recv(fd, &first, 1, MSG_PEEK | MSG_DONTWAIT);
  if (peeked == 1 && first == SLIPWAY_OWNER_RELEASE) return release();
  char buffer[256];
  // The descriptor is readable, so this does not block. It has no O_NONBLOCK, because the command
  // that passed it shares its flags.
  const ssize_t n = ::read(fd, buffer, sizeof buffer);
  if (n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN))) return;
  events_.remove(fd);
  start_.owner.reset();
  app_stopper_.cancel(kGraceOfRoles, "cancelled because the command that started it has ended");
}

/// Records that the app has no owner any more, and answers the owner.
void Supervisor::release() {
  files_.edit_header().acknowledged.store(kReleased);
  files_.events().add(files_.changed(), "app RELEASED");
  const char answer = SLIPWAY_OWNER_RELEASE;
  ::send(start_.owner.get(), &answer, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
  events_.remove(start_.owner.get());
  start_.owner.reset();
}

/// Makes `ctl.sock` again if its name is gone.
void Supervisor::renew_socket() {
  if (socket_inode(files_.dir_fd()) == start_.socket_inode) return;
  OwnedFd listener = listen_control(files_.dir_fd());
  if (!listener) return;
  start_.socket_inode = socket_inode(files_.dir_fd());
  control_.listen_on(std::move(listener));
}

int Supervisor::finish() {
  files_.repair(StateDepth::kAll);
  cgroups_.remove_all();
  // A successor does not know whether its predecessor had strays (kill_ladder.hpp).
  replicas_.complete_logs(reaper_.had_strays() || start_.mode != SupervisorMode::kRun);
  replicas_.report_log_faults();
  record_app_end(files_, rules_.work_has_failed());
  publish();
  // The terminal state comes first: a client that reads the end of its stream looks at
  // that state.
  control_.close_all();
  ::unlinkat(files_.dir_fd(), kSocketName, 0);
  files_.sync_end();
  // Here the warden lives if it still is the parent; it starts the command of `on_end` later. After
  // a take-over this process itself is the warden, and run_warden() starts the command.
  const bool has_warden = start_.mode == SupervisorMode::kTakeOver ||
                          ::getppid() == files_.state().header().warden_pid.load();
  if (!has_warden) start_end_command(files_);
  return kSupervisorDone;
}

}  // namespace

int supervise(SupervisorStart start) {
  Supervisor supervisor(std::move(start));
  bool has_begun = false;
  try {
    supervisor.begin();
    has_begun = true;
    return supervisor.run();
  } catch (const Error& error) {
    // The shortage may pass before the next take-over.
    if (!has_begun && error.code() == Code::kTemporary) throw;
    return kSupervisorFailed;
  } catch (const std::exception&) {
    // For instance, no memory is left. The warden takes over, with the state in the record.
    return kSupervisorFailed;
  }
}

}  // namespace slipway::local
