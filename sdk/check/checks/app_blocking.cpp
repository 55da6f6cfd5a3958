// Checks of calls that wait, and of calls that other threads make meanwhile.
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "sdk/check/checks/groups.hpp"
#include "sdk/check/checks/sleeper.hpp"
#include "sdk/check/host/caller.hpp"
#include "sdk/check/host/log_calls.hpp"
#include "sdk/check/host/scheduler_calls.hpp"
#include "sdk/check/host/subscription.hpp"

namespace slipway::check {

namespace {

using Clock = std::chrono::steady_clock;

void app_blocking_log_timeout(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  if (!scheduler.has(&slipway_scheduler_vtbl::log_open)) throw Inconclusive("it keeps no logs");
  Sleeper app(scheduler);
  {
    OpenLogs logs(scheduler, app.id(), {.follow = true});
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
    OpenLogs logs(scheduler, app.id(), {.follow = true});
    // No event reports that the call below has begun to wait. The pause gives it time; a call that
    // starts later is also cancelled.
    const auto start = Clock::now();
    OpenLogs::Bytes bytes;
    Answer answer;
    {
      const std::jthread other = start_thread([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        logs.cancel();
      });
      do {
        answer = logs.next(trial.options.longest_wait().count(), bytes);
      } while (answer.status == SLIPWAY_OK);
    }
    const long took = milliseconds_since(start);
    require(answer.status == SLIPWAY_E_CANCELLED, "after log_cancel, log_next gave status " +
                                                      std::to_string(answer.status) + " after " +
                                                      std::to_string(took) + " ms");
    require(took < patience_ms(trial), "log_next returned after " + std::to_string(took) +
                                           " ms; log_cancel came after 200 ms");
    require(logs.next(trial.options.longest_wait().count(), bytes).status == SLIPWAY_E_CANCELLED,
            "a later log_next does not return SLIPWAY_E_CANCELLED");
  }
  app.end();
}

void app_blocking_events(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  if (!scheduler.has(&slipway_scheduler_vtbl::events_open)) throw Inconclusive("it has no events");
  Sleeper app(scheduler);
  const Subscription subscription(scheduler, app.id());
  const int fd = subscription ? subscription.fd() : -1;
  app.end();
  if (!subscription) throw Inconclusive("it has no events");
  require(fd >= 0, "events_fd gave no descriptor");
  for (slipway_status status = SLIPWAY_OK; status != SLIPWAY_END;) {
    pollfd one{fd, POLLIN, 0};
    require(::poll(&one, 1, static_cast<int>(patience_ms(trial))) == 1,
            "the app ended, and the descriptor of its events did not become readable");
    scheduler.step("events_drain");
    const Answer answer = subscription.drain();
    status = answer.status;
    require_ok("events_drain", status, answer.error);
    require(subscription.fd() == fd, "events_fd changed");
    if (status == SLIPWAY_OK && is_terminal_state(scheduler.seen(app.id()).state)) break;
  }
}

slipway_status note_thread(void* caller, const slipway_description*) {
  static_cast<Caller*>(caller)->called_back();
  return SLIPWAY_OK;
}

// Describes the app again and again, without step(), because the progress page belongs to the
// thread of the check. `caller` notices a callback that comes in another thread than this one.
void describe_until(const std::stop_token& over, const SchedulerUnderTest& scheduler,
                    const std::string& app_id, std::optional<Caller>& caller) {
  GuardedMemory memory;
  const slipway_str id = memory.text(app_id);
  auto opts = abi::sized<slipway_describe_opts>();
  opts.want = SLIPWAY_WANT_REPLICAS;
  const slipway_describe_opts* placed = memory.object(opts);
  memory.seal();
  caller.emplace();
  while (!over.stop_requested()) {
    slipway_error error;
    scheduler.table().describe(scheduler.object(), plain_call(), id, placed, &note_thread, &*caller,
                               &error);
    ::usleep(1000);
  }
}

void drain_until(const std::stop_token& over, const Subscription& subscription) {
  while (!over.stop_requested()) {
    pollfd one{subscription.fd(), POLLIN, 0};
    ::poll(&one, 1, 5);
    (void)subscription.drain();
  }
}

// Reads logs while a second thread describes the app, and a third one waits for events if the
// scheduler has any.
void app_two_threads(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  if (!scheduler.has(&slipway_scheduler_vtbl::log_open)) throw Inconclusive("it keeps no logs");
  Sleeper app(scheduler);
  {
    OpenLogs logs(scheduler, app.id(), {.follow = true});
    std::optional<Subscription> subscription;
    if (scheduler.has(&slipway_scheduler_vtbl::events_open))
      subscription.emplace(scheduler, app.id());
    std::optional<Caller> describing;
    {
      const std::jthread describes = start_thread([&](const std::stop_token& over) {
        describe_until(over, scheduler, app.id(), describing);
      });
      std::jthread drains;
      if (subscription && *subscription)
        drains =
            start_thread([&](const std::stop_token& over) { drain_until(over, *subscription); });
      OpenLogs::Bytes bytes;
      Answer answer;
      for (int i = 0; i < 5 && answer.status >= 0; ++i) answer = logs.next(50, bytes);
      require_ok("log_next", answer.status, answer.error);
    }
    if (describing) describing->verify("describe");
  }
  app.end();
}

}  // namespace

std::vector<Check> app_blocking_checks() {
  constexpr const char* kKind = SLIPWAY_KIND_SCHEDULER;
  return {
      {"app.log_timeout",
       kKind,
       Needs::kApp,
       "log_next waits no longer than its timeout (abi/scheduler.h)",
       "wait in poll() with what is left of the timeout, and return SLIPWAY_AGAIN",
       &app_blocking_log_timeout,
       {"app.logs", "app.cancel"},
       Remedy::kAlsoForCrash},
      {"app.log_cancel",
       kKind,
       Needs::kApp,
       "log_cancel from any thread ends a log_next that waits, and every later one "
       "(abi/scheduler.h)",
       "also wait in poll() on an eventfd, which log_cancel writes to",
       &app_blocking_log_cancel,
       {"app.logs", "app.cancel"},
       Remedy::kAlsoForCrash},
      {"app.events",
       kKind,
       Needs::kApp,
       "events_fd becomes readable when the app's state changes (abi/scheduler.h)",
       "make it readable for every change since the last events_drain",
       &app_blocking_events,
       {"app.cancel"}},
      {"app.two_threads",
       kKind,
       Needs::kApp,
       "a host reads logs in one thread, describes the app in another, and waits for events in a "
       "third (abi/base.h, Threads)",
       "give iterators and subscriptions their own state, or lock what they share",
       &app_two_threads,
       {"app.log_timeout"},
       Remedy::kAlsoForCrash},
  };
}

}  // namespace slipway::check
