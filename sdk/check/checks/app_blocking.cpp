// Checks of calls that wait. The app is that of --app with programs that sleep until it is
// cancelled.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>

#include "sdk/check/checks/groups.hpp"
#include "sdk/check/host/log_calls.hpp"
#include "sdk/check/host/scheduler_calls.hpp"

namespace slipway::check {

namespace {

using Clock = std::chrono::steady_clock;

// Submits an app that sleeps. Throws Inconclusive if the scheduler runs nothing, for instance
// because it only records apps for another.
std::string submit_sleeper(const SchedulerUnderTest& scheduler, int owner_fd = -1) {
  const std::string id = scheduler.submit(scheduler.sleeper(), owner_fd);
  const SeenApp app = scheduler.seen(id);
  if (is_terminal_state(app.state))
    throw Inconclusive("its apps end at once: one that sleeps was " + state_name(app.state));
  return id;
}

// A sleeping app, which the destructor cancels.
class Sleeper {
 public:
  explicit Sleeper(const SchedulerUnderTest& scheduler)
      : scheduler_(scheduler), id_(submit_sleeper(scheduler)) {}
  const std::string& id() const { return id_; }
  void end() {
    const Answer answer = scheduler_.cancel(id_, true);
    require_ok("cancel", answer.status, answer.error);
    scheduler_.wait_for_end(id_, "after cancel");
  }

 private:
  const SchedulerUnderTest& scheduler_;
  std::string id_;
};

long milliseconds_since(Clock::time_point from) {
  return static_cast<long>(
      std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - from).count());
}

// The machine may be busy: a call that respects its timeout returns long before this part of the
// limit.
long patience_ms(const Trial& trial) { return trial.options.limit_s * 1000L / 4; }

void app_blocking_log_timeout(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  if (!scheduler.has(&slipway_scheduler_vtbl::log_open)) throw Inconclusive("it keeps no logs");
  Sleeper app(scheduler);
  {
    OpenLogs logs(scheduler, app.id(), {}, true);
    OpenLogs::Bytes bytes;
    for (int times_up = 0; times_up < 3;) {
      const auto start = Clock::now();
      const Answer answer = logs.next(100, bytes);
      require_ok("log_next", answer.status, answer.error);
      const long took = milliseconds_since(start);
      require(took < patience_ms(trial),
              "log_next with a timeout of 100 ms returned after " + std::to_string(took) + " ms");
      require(answer.status != SLIPWAY_END, "following the logs ended while the app was running");
      if (answer.status == SLIPWAY_AGAIN) ++times_up;
    }
  }
  app.end();
}

void app_blocking_log_cancel(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  if (!scheduler.has(&slipway_scheduler_vtbl::log_open)) throw Inconclusive("it keeps no logs");
  Sleeper app(scheduler);
  {
    OpenLogs logs(scheduler, app.id(), {}, true);
    // No event reports that the call below has begun to wait. The pause gives it time; a call that
    // starts later is also cancelled.
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      logs.cancel();
    });
    const auto start = Clock::now();
    OpenLogs::Bytes bytes;
    Answer answer;
    do {
      answer = logs.next(trial.options.limit_s * 1000L / 2, bytes);
    } while (answer.status == SLIPWAY_OK);
    other.join();
    const long took = milliseconds_since(start);
    require(answer.status == SLIPWAY_E_CANCELLED, "after log_cancel, log_next gave status " +
                                                      std::to_string(answer.status) + " after " +
                                                      std::to_string(took) + " ms");
    require(took < patience_ms(trial),
            "log_next returned " + std::to_string(took) + " ms after log_cancel");
    require(logs.next(trial.options.limit_s * 1000L / 2, bytes).status == SLIPWAY_E_CANCELLED,
            "a later log_next does not return SLIPWAY_E_CANCELLED");
  }
  app.end();
}

void app_blocking_cancels(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  const std::string id = submit_sleeper(scheduler);
  for (const bool now : {false, false, true}) {
    const Answer answer = scheduler.cancel(id, now);
    require(answer.status >= 0,
            "cancel of an app that is being cancelled failed: " + answer.error.message);
  }
  const SeenApp end = scheduler.wait_for_end(id, "after cancel");
  require(end.state == SLIPWAY_STATE_CANCELLED,
          "an app that was cancelled is " + state_name(end.state));
  const Answer late = scheduler.cancel(id, true);
  require(late.status >= 0, "cancel of an app that has ended failed: " + late.error.message);
  require(scheduler.seen(id).state == SLIPWAY_STATE_CANCELLED,
          "cancelling twice changed the state");
}

void app_blocking_owner_ends(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  if ((scheduler.table().flags & SLIPWAY_SCHEDULER_FOREGROUND_BY_DEFAULT) == 0)
    throw Inconclusive("its apps do not belong to a process");
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Inconclusive("cannot create a pipe");
  const std::string id = submit_sleeper(scheduler, ends[0]);
  ::close(ends[1]);
  const SeenApp end = scheduler.wait_for_end(id, "when its owner did");
  ::close(ends[0]);
  require(end.state == SLIPWAY_STATE_CANCELLED,
          "an app whose owner ended is " + state_name(end.state));
}

void app_blocking_events(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  if (!scheduler.has(&slipway_scheduler_vtbl::events_open)) throw Inconclusive("it has no events");
  Sleeper app(scheduler);
  GuardedMemory memory;
  const slipway_str id = memory.text(app.id());
  auto opts = abi::sized<slipway_events_opts>();
  opts.what = SLIPWAY_EVENTS_STATE;
  const slipway_events_opts* placed = memory.object(opts);
  memory.seal();
  slipway_events* subscription = nullptr;
  slipway_error error;
  scheduler.step("events_open");
  const slipway_status opened = scheduler.table().events_open(scheduler.object(), plain_call(), id,
                                                              placed, &subscription, &error);
  memory.vanish();
  if (opened == SLIPWAY_E_UNIMPLEMENTED) {
    app.end();
    throw Inconclusive("it has no events");
  }
  require_ok("events_open", opened, error);
  require(subscription != nullptr, "events_open succeeded and left *out NULL");
  const int fd = scheduler.table().events_fd(subscription);
  require(fd >= 0, "events_fd gave no descriptor");
  app.end();
  for (slipway_status status = SLIPWAY_OK; status != SLIPWAY_END;) {
    pollfd one{fd, POLLIN, 0};
    require(::poll(&one, 1, static_cast<int>(patience_ms(trial))) == 1,
            "the app ended, and the descriptor of its events did not become readable");
    scheduler.step("events_drain");
    status = scheduler.table().events_drain(subscription, &error);
    require_ok("events_drain", status, error);
    require(scheduler.table().events_fd(subscription) == fd, "events_fd changed");
    if (status == SLIPWAY_OK && is_terminal_state(scheduler.seen(app.id()).state)) break;
  }
  scheduler.step("events_close");
  scheduler.table().events_close(subscription);
}

}  // namespace

std::vector<Check> app_blocking_checks() {
  constexpr const char* kKind = SLIPWAY_KIND_SCHEDULER;
  return {
      {"app.log_timeout", kKind, Needs::kApp,
       "log_next waits no longer than its timeout (abi/scheduler.h)",
       "wait in poll() with what is left of the timeout, and return SLIPWAY_AGAIN",
       &app_blocking_log_timeout},
      {"app.log_cancel", kKind, Needs::kApp,
       "log_cancel from any thread ends a log_next that waits, and every later one "
       "(abi/scheduler.h)",
       "also wait in poll() on an eventfd, which log_cancel writes to", &app_blocking_log_cancel},
      {"app.cancel", kKind, Needs::kApp,
       "cancel ends an app as CANCELLED, and is idempotent (abi/scheduler.h)",
       "return SLIPWAY_OK for an app that has ended or is being cancelled", &app_blocking_cancels},
      {"app.owner", kKind, Needs::kApp,
       "an app is cancelled when its owner process ends (SLIPWAY_SCHEDULE_FOREGROUND)",
       "watch owner_fd for end-of-file, in the process that outlives schedule",
       &app_blocking_owner_ends},
      {"app.events", kKind, Needs::kApp,
       "events_fd becomes readable when the app's state changes (abi/scheduler.h)",
       "make it readable for every change since events_drain", &app_blocking_events},
  };
}

}  // namespace slipway::check
