// The calls of SchedulerUnderTest that wait for a state of an app.
#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include "sdk/check/host/scheduler_calls.hpp"
#include "slipway/app_state.hpp"

namespace slipway::check {

namespace {

// Polls, because events are optional and describe must report the end of an app without them.
constexpr auto kPollInterval = std::chrono::milliseconds(50);

}  // namespace

std::optional<SeenApp> SchedulerUnderTest::wait(
    std::string_view app_id, const std::function<bool(const SeenApp&)>& done) const {
  const auto deadline = std::chrono::steady_clock::now() + trial().options.longest_wait();
  std::int32_t ended_as = -1;
  do {
    const SeenApp app = seen(app_id, SLIPWAY_WANT_REPLICAS);
    require(ended_as < 0 || app.state == ended_as,
            "the app was " + state_name(ended_as) + " and is now " + state_name(app.state),
            "SUCCEEDED, FAILED and CANCELLED are final");
    if (is_terminal_state(app.state)) ended_as = app.state;
    if (done(app)) return app;
    std::this_thread::sleep_for(kPollInterval);
  } while (std::chrono::steady_clock::now() < deadline);
  return std::nullopt;
}

SeenApp SchedulerUnderTest::wait_for_end(std::string_view app_id, const std::string& clause,
                                         const std::string& remedy) const {
  std::int32_t last = SLIPWAY_STATE_UNSUBMITTED;
  const auto app = wait(app_id, [&last](const SeenApp& now) {
    last = now.state;
    return is_terminal_state(now.state);
  });
  require(app.has_value(),
          "the app did not end " + clause + " within " +
              std::to_string(trial().options.longest_wait().count()) + " ms; it is " +
              state_name(last),
          remedy);
  trial().progress.set_unfinished_app({});
  return *app;
}

SeenApp SchedulerUnderTest::wait_for_cancelled(std::string_view app_id) const {
  return wait_for_end(
      app_id, "after cancel",
      "keep the order to cancel until the replicas have started, and send the "
      "signal to all their processes; a process group exists only after setpgid or setsid");
}

SeenApp SchedulerUnderTest::end(std::string_view app_id) const {
  const Answer answer = cancel(app_id, /*now=*/true);
  require_ok("cancel", answer.status, answer.error);
  return wait_for_cancelled(app_id);
}

bool is_terminal_state(std::int32_t state) {
  const auto known = app_state_from(std::int64_t{state});
  return known && is_terminal(*known);
}

std::string state_name(std::int32_t state) {
  const auto known = app_state_from(std::int64_t{state});
  return known ? std::string(to_string(*known)) : "state " + std::to_string(state);
}

}  // namespace slipway::check
