#include "sdk/check/checks/scripts.hpp"

#include "core/spec/problem.hpp"
#include "sdk/check/checks/left_behind.hpp"

namespace slipway::check {

namespace {

// Submits an app that sleeps, and cancels it. Returns whether it ended at once; false if the
// scheduler fails.
bool runs_nothing(const Trial& trial) {
  try {
    const SchedulerUnderTest scheduler(trial);
    const std::string id = scheduler.submit(scheduler.sleeper());
    const bool ended = is_terminal_state(scheduler.seen(id).state);
    scheduler.end(id);
    return ended;
  } catch (const Broken&) {
    return false;
  } catch (const Inconclusive&) {
    return false;
  }
}

// Cancels the app of a check that has failed, if it still runs. After a failure, the kit does not
// try again.
void cancel_unfinished(const Trial& trial) {
  if (trial.progress.unfinished_app().empty()) return;
  try {
    cancel_left_behind(trial);
  } catch (const Broken&) {
    trial.progress.set_unfinished_app({});
  } catch (const Inconclusive&) {
    trial.progress.set_unfinished_app({});
  }
}

}  // namespace

AppDef scripted(const SchedulerUnderTest& scheduler, const std::string& script, StrList args) {
  AppDef out = scheduler.app();
  StrList words{"-c", script, "sh"};  // the last word is $0 of the script
  words.insert(words.end(), args.begin(), args.end());
  for (Role& role : out.roles) {
    role.runs("sh", words);
    role.max_retries = 0;
  }
  return out;
}

std::string run_to_success(const SchedulerUnderTest& scheduler, const AppDef& app) {
  const std::string id = scheduler.submit(app);
  const SeenApp end = scheduler.wait_for_end(id, "by itself");
  require(end.state == SLIPWAY_STATE_SUCCEEDED,
          "the app ended as " + state_name(end.state) + (end.msg.empty() ? "" : ": " + end.msg));
  return id;
}

void require_output(const SchedulerUnderTest& scheduler, const std::string& app_id,
                    const AppDef& app,
                    const std::function<std::string(const Role&, std::int32_t)>& expected,
                    const LogSelection& selection) {
  if (!scheduler.has(&slipway_scheduler_vtbl::log_open)) throw Inconclusive("it keeps no logs");
  OpenLogs::Bytes logs = read_logs(scheduler, app_id, selection);
  for (const Role& role : app.roles) {
    for (std::int32_t replica = 0; replica < role.num_replicas; ++replica) {
      const std::string& seen = logs[{role.name, replica}];
      const std::string wanted = expected(role, replica);
      require(seen == wanted, "the output of " + role.name + "/" + std::to_string(replica) +
                                  " is " + spec::quoted(seen) + ", not " + spec::quoted(wanted));
    }
  }
}

std::function<void(const Trial&)> with_programs(void (*check)(const SchedulerUnderTest&)) {
  return [check](const Trial& trial) {
    try {
      check(SchedulerUnderTest(trial));
    } catch (const Broken&) {
      cancel_unfinished(trial);
      if (runs_nothing(trial)) throw Inconclusive("it runs no programs: an app that sleeps ended");
      throw;
    }
  };
}

}  // namespace slipway::check
