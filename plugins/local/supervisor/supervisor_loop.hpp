// The parts of a supervisor and what it does with the events of each. Behind supervise(); nothing
// else uses it.
#pragma once

#include <sys/epoll.h>
#include <sys/resource.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "plugins/local/supervisor/control_server.hpp"
#include "plugins/local/supervisor/ending/kill_ladder.hpp"
#include "plugins/local/supervisor/ending/replica_stopper.hpp"
#include "plugins/local/supervisor/ending/time_limits.hpp"
#include "plugins/local/supervisor/probing/readiness.hpp"
#include "plugins/local/supervisor/record/app_files.hpp"
#include "plugins/local/supervisor/record/log_faults.hpp"
#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/record/rounds.hpp"
#include "plugins/local/supervisor/recovering/foreign_replicas.hpp"
#include "plugins/local/supervisor/retrying/failure_rules.hpp"
#include "plugins/local/supervisor/retrying/restarts.hpp"
#include "plugins/local/supervisor/starting/dependencies.hpp"
#include "plugins/local/supervisor/starting/launcher.hpp"
#include "plugins/local/supervisor/starting/start_queue.hpp"
#include "plugins/local/supervisor/supervisor.hpp"
#include "plugins/local/supervisor/timing/alarm.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// How long a start waits that the system has no room for, at first.
inline constexpr std::int64_t kFirstBackOffMs = 50;

/// Whose descriptor an event is about.
enum Source : std::uint32_t { kSignals, kAlarm, kControl, kOwner, kMerger, kForeign, kProbes };

class Supervisor {
 public:
  explicit Supervisor(SupervisorStart start);
  int run();

 private:
  void watch(int fd, Source source, std::uint32_t events = EPOLLIN);
  void acknowledge();
  void adopt_all();
  void resume();
  bool may_launch();
  bool has_room_for_attempts();
  void launch_slice();
  bool lease_gpus();
  void begin_launching();
  void tell_running();
  void finish_starts();
  void not_started(Launcher::Outcome outcome, const StartFailure& failure);
  void start_failed(const StartFailure& failure);
  void pause_launching();
  void back_off(const std::string& why);
  void forget_shortage();
  void settle_failures();
  void failed_for_good(std::uint32_t index);
  void react_to_failure(std::uint32_t index);
  void fail_dependents();
  void sweep();
  void renew_socket();
  std::int64_t next_due();
  void repair(StateDepth depth);
  void look_for_record(std::int64_t now_ns);
  void tell_missing(const std::string& file, int error);
  void cancel(std::int64_t grace_ms, bool now);
  void stop(StopCause cause, std::int64_t grace_ms, bool now, std::string_view message);
  void tell_stopping();
  void tell_again();
  void reap();
  bool all_gone();
  void dispatch(Source source);
  void on_signals();
  void on_alarm();
  void look_whether_ready(std::int64_t now_ns);
  void on_owner();
  void publish();
  int wait(epoll_event* events, bool may_block);
  int finish();

  SupervisorStart start_;
  AppFiles files_;
  std::optional<rlimit> open_files_;
  Rounds rounds_;
  ReplicaCgroups cgroups_;
  Replicas replicas_;
  FailureRules rules_;
  ForeignReplicas foreign_;
  KillLadder ladder_;
  ReplicaStopper stopper_;
  TimeLimits limits_;
  Readiness readiness_;
  Dependencies dependencies_;
  StartQueue queue_;
  Restarts restarts_;
  Launcher launcher_;
  LogFaults log_faults_;
  OwnedFd epoll_;
  OwnedFd signals_;
  Alarm alarm_;
  ControlServer control_;
  std::int64_t back_off_until_ = kNever;  // kNever: not backing off
  std::int64_t longest_pause_ = kFirstBackOffMs;
  std::int64_t record_due_ = kNever;  // kNever: no file of the record was removed lately
  bool shortage_told_ = false;        // the app's message says what its replicas wait for
  std::string gpu_shortage_;          // the app's message while it waits for GPUs
  bool launching_ = false;            // programs are checked, the app is RUNNING
  bool had_strays_ = false;
  bool no_children_ = false;
};

}  // namespace slipway::local
