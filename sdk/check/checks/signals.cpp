// Checks of the optional ability to send signals (abi/signal.h).
#include <csignal>
#include <string>
#include <string_view>
#include <vector>

#include "sdk/check/checks/groups.hpp"
#include "sdk/check/host/checked_callback.hpp"
#include "sdk/check/host/samples.hpp"
#include "sdk/check/host/scheduler_calls.hpp"
#include "slipway/abi/signal.h"

namespace slipway::check {

namespace {

constexpr std::string_view kNoSuchRole = "slipway-plugin-check-no-such-role";

struct SignalResult {
  std::string role;
  std::int32_t replica = 0;
  bool sent = false;
};

// The result of send.
struct Sent : Answer {
  std::vector<SignalResult> results;
  std::string malformed;  ///< a defect of a result, which follows "send reported "; empty: none

  /// Returns the number of results whose signal was sent.
  int count() const {
    int out = 0;
    for (const SignalResult& result : results) out += result.sent ? 1 : 0;
    return out;
  }
};

slipway_status take_result(void* self, const slipway_signal_result* given) {
  auto& to = *static_cast<Sent*>(self);
  const slipway_signal_result result = abi::widen(given);
  if (result.replica < -1 || (result.replica >= 0) != (result.role.ptr != nullptr))
    to.malformed = "replica " + std::to_string(result.replica) + " and the role \"" +
                   abi::str(result.role) + "\"";
  if (result.sent == 0 && abi::text(result.why).empty())
    to.malformed = "a replica that was sent nothing, without a reason";
  to.results.push_back({abi::str(result.role), result.replica, result.sent != 0});
  return SLIPWAY_OK;
}

// The ability of a scheduler to send signals.
class Signals {
 public:
  // Throws Inconclusive if the scheduler has no such ability.
  explicit Signals(const SchedulerUnderTest& scheduler) : scheduler_(scheduler) {
    if (!scheduler.has(&slipway_scheduler_vtbl::get_extension))
      throw Inconclusive("it sends no signals");
    GuardedMemory memory;
    const slipway_str id = memory.text(SLIPWAY_SCHEDULER_SIGNAL);
    memory.seal();
    scheduler.step("get_extension");
    table_ = static_cast<const slipway_scheduler_signal*>(
        scheduler.table().get_extension(scheduler.object(), id));
    if (table_ == nullptr || !abi::has(*table_, &slipway_scheduler_signal::send))
      throw Inconclusive("it sends no signals");
  }

  // An empty role means the whole app.
  Sent send(std::string_view app_id, int signal, std::string_view role = {}) const {
    GuardedMemory memory;
    std::vector<slipway_log_target> targets;
    if (!role.empty()) {
      auto target = abi::sized<slipway_log_target>();
      target.role = memory.text(role);
      targets.push_back(target);
    }
    auto order = abi::sized<slipway_signal_order>();
    order.signal = signal;
    order.app_id = memory.text(app_id);
    // With the longer stride of a later slipway_log_target.
    order.targets = memory.array<slipway_log_target_array>(targets, /*extra=*/16);
    const slipway_signal_order* placed = memory.object(order);
    memory.seal();
    Sent out;
    scheduler_.step("send");
    out.status = table_->send(scheduler_.object(), plain_call(), placed, kChecked<&take_result>,
                              &out, &out.error);
    memory.vanish();
    if (out.status == SLIPWAY_E_UNIMPLEMENTED) throw Inconclusive("it sends no signals");
    // Elsewhere the kit reads this status as "not on this machine"; send also gives it for an app
    // that has ended.
    if (out.status != SLIPWAY_E_PRECONDITION) inspect_failure("send", out.status, out.error);
    require(out.malformed.empty(), "send reported " + out.malformed);
    return out;
  }

 private:
  const SchedulerUnderTest& scheduler_;
  const slipway_scheduler_signal* table_ = nullptr;
};

/// Returns whether the only result is one for all replicas of the order.
bool stands_for_all(const Sent& sent) {
  return sent.results.size() == 1 && sent.results[0].replica < 0;
}

void require_all_results(const Sent& sent, std::size_t replicas) {
  require(sent.results.size() == replicas || stands_for_all(sent),
          "send reported " + std::to_string(sent.results.size()) + " results for " +
              std::to_string(replicas) + " replicas");
}

void signals_unknown_app(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  const Signals signals(scheduler);
  const Sent sent = signals.send(kNoSuchApp, SIGCONT);
  require(sent.status == SLIPWAY_E_NOT_FOUND && sent.results.empty(),
          "send to an app that does not exist gave status " + std::to_string(sent.status));
}

// Sends signals to an app that sleeps, ends it with SIGKILL, and sends one more.
void signals_running_app(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  const Signals signals(scheduler);
  AppDef app = scheduler.sleeper();
  std::size_t replicas = 0;
  for (Role& role : app.roles) {
    role.max_retries = 0;
    replicas += static_cast<std::size_t>(role.num_replicas);
  }
  const std::string id = scheduler.submit(app);
  const auto runs = scheduler.wait(id, [](const SeenApp& seen) {
    return seen.state == SLIPWAY_STATE_RUNNING || is_terminal_state(seen.state);
  });
  if (!runs || runs->state != SLIPWAY_STATE_RUNNING)
    throw Inconclusive("its apps do not start to run here");

  require(signals.send(id, SIGCONT, kNoSuchRole).status == SLIPWAY_E_NOT_FOUND,
          "send to a role that the app does not have does not give SLIPWAY_E_NOT_FOUND",
          "look for the role in the app first");
  for (const int signal : {0, -1, 65}) {  // Linux has the signals 1 to 64
    require(signals.send(id, signal).status == SLIPWAY_E_INVALID,
            "send does not refuse the signal number " + std::to_string(signal) +
                " with SLIPWAY_E_INVALID",
            "return SLIPWAY_E_INVALID with a message for a number that is no signal");
  }
  // Replicas start one after the other, so the first signals may not reach all of them.
  const auto reaches_every_replica = [&](const SeenApp&) {
    const Sent sent = signals.send(id, SIGCONT);
    require_ok("send", sent.status, sent.error);
    require_all_results(sent, replicas);
    return sent.count() == static_cast<int>(sent.results.size());
  };
  require(scheduler.wait(id, reaches_every_replica).has_value(),
          "a replica that runs was never sent a signal");
  const Sent one_role = signals.send(id, SIGCONT, app.roles.front().name);
  require_ok("send", one_role.status, one_role.error);
  require_all_results(one_role, static_cast<std::size_t>(app.roles.front().num_replicas));
  for (const SignalResult& result : one_role.results) {
    require(result.role == app.roles.front().name || stands_for_all(one_role),
            "send to the role " + app.roles.front().name + " reported a replica of " + result.role);
  }
  require(!is_terminal_state(scheduler.seen(id).state), "SIGCONT ended the app");

  const Sent kill = signals.send(id, SIGKILL);
  require_ok("send", kill.status, kill.error);
  const SeenApp end = scheduler.wait_for_end(id, "after SIGKILL to every replica");
  require(end.state != SLIPWAY_STATE_CANCELLED && end.state != SLIPWAY_STATE_SUCCEEDED,
          "an app whose replicas were sent SIGKILL is " + state_name(end.state));
  const Sent late = signals.send(id, SIGCONT);
  require(late.status == SLIPWAY_E_PRECONDITION,
          "send to an app that has ended gave status " + std::to_string(late.status),
          "return SLIPWAY_E_PRECONDITION with a message for an app that has ended");
  require(!late.error.message.empty(), "send failed for an app that has ended and gave no message",
          "call host->error_set before returning an error");
}

}  // namespace

std::vector<Check> signal_checks() {
  constexpr const char* kKind = SLIPWAY_KIND_SCHEDULER;
  return {
      {"scheduler.signal_unknown",
       kKind,
       Needs::kNothing,
       "a signal for an app that does not exist is SLIPWAY_E_NOT_FOUND (abi/signal.h)",
       "check first that the app exists",
       &signals_unknown_app,
       {"provider.functions"}},
      {"app.signal",
       kKind,
       Needs::kApp,
       "a signal reaches every replica that runs and cancels nothing by itself (abi/signal.h)",
       "report each replica that the order names, and do not cancel the app when a signal ends a "
       "replica",
       &signals_running_app,
       {"app.runs", "scheduler.signal_unknown"}},
  };
}

}  // namespace slipway::check
