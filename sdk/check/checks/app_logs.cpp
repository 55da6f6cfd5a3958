// Checks of the logs of programs whose output the kit knows.
#include <chrono>
#include <map>
#include <string>

#include "core/spec/problem.hpp"
#include "sdk/check/checks/groups.hpp"
#include "sdk/check/checks/scripts.hpp"

namespace slipway::check {

namespace {

void app_streams(const SchedulerUnderTest& scheduler) {
  const AppDef app = scripted(scheduler, "echo to stdout; echo to stderr >&2");
  const std::string id = run_to_success(scheduler, app);
  if (!scheduler.has(&slipway_scheduler_vtbl::log_open)) throw Inconclusive("it keeps no logs");
  const std::string out = "to stdout\n", err = "to stderr\n";
  for (const auto& [replica, bytes] : read_logs(scheduler, id)) {
    if (replica.second < 0) continue;  // the app's own output
    require(bytes == out + err || bytes == err + out,
            "the logs of " + replica.first + "/" + std::to_string(replica.second) + " are " +
                spec::quoted(bytes) + ", not what stdout and stderr got");
  }
  for (const auto& [stream, expected] :
       {std::pair(SLIPWAY_STREAM_STDOUT, out), std::pair(SLIPWAY_STREAM_STDERR, err)}) {
    try {
      require_output(scheduler, id, app,
                     [&wanted = expected](const Role&, std::int32_t) { return wanted; },
                     {.stream = stream});
    } catch (const NoSuchLogs&) {
      // The scheduler does not keep the streams apart.
    }
  }
}

void app_log_replicas(const SchedulerUnderTest& scheduler) {
  AppDef app = scripted(scheduler, "echo hello");
  Role& role = app.roles.front();
  role.num_replicas = 3;
  role.min_replicas.reset();  // that of --app may be larger than 3
  const std::string id = run_to_success(scheduler, app);
  if (!scheduler.has(&slipway_scheduler_vtbl::log_open)) throw Inconclusive("it keeps no logs");
  for (const std::vector<std::int32_t>& wanted :
       {std::vector<std::int32_t>{0, 2}, std::vector<std::int32_t>{1}}) {
    OpenLogs::Bytes logs = read_logs(scheduler, id, {.role = role.name, .replicas = wanted});
    for (const std::int32_t replica : wanted) {
      require(logs[{role.name, replica}] == "hello\n",
              "a query for the logs of " + std::to_string(wanted.size()) +
                  " replicas of a role lacks those of replica " + std::to_string(replica));
    }
    require(logs.size() == wanted.size(),
            "a query for the logs of some replicas also gave those of others");
  }
}

// Returns the logs that were written in `period`, or none if the scheduler keeps no times.
OpenLogs::Bytes logs_of_time(const SchedulerUnderTest& scheduler, const std::string& id,
                             const LogSelection& period) {
  try {
    return read_logs(scheduler, id, period);
  } catch (const NoSuchLogs&) {
    return {};
  }
}

void app_log_times(const SchedulerUnderTest& scheduler) {
  constexpr std::int64_t kDayNs = 86'400'000'000'000;
  const AppDef app = scripted(scheduler, "echo hello");
  const std::string id = run_to_success(scheduler, app);
  if (!scheduler.has(&slipway_scheduler_vtbl::log_open)) throw Inconclusive("it keeps no logs");
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::int64_t now_ns = std::chrono::nanoseconds(now).count();
  for (const LogSelection& without_output :
       {LogSelection{.since_ns = now_ns + kDayNs}, LogSelection{.until_ns = now_ns - kDayNs}}) {
    require(logs_of_time(scheduler, id, without_output).empty(),
            std::string("log_open ignores ") +
                (without_output.since_ns != SLIPWAY_TIME_UNSET ? "since_ns" : "until_ns") +
                ": it gave what was written a day before or after");
  }
  const OpenLogs::Bytes all =
      logs_of_time(scheduler, id, {.since_ns = now_ns - kDayNs, .until_ns = now_ns + kDayNs});
  require(all.empty() || all == read_logs(scheduler, id),
          "the logs from yesterday to tomorrow differ from those without times");
}

void app_last_line(const SchedulerUnderTest& scheduler) {
  const std::string text = "first line\nno line end";
  const AppDef app = scripted(scheduler, "printf 'first line\\nno line end'");
  const std::string id = scheduler.submit(app);
  if (!scheduler.has(&slipway_scheduler_vtbl::log_open)) throw Inconclusive("it keeps no logs");
  const auto expected = [&](const Role&, std::int32_t) { return text; };
  require_output(scheduler, id, app, expected, {.follow = true});
  scheduler.wait_for_end(id, "by itself");
  require_output(scheduler, id, app, expected);
}

}  // namespace

std::vector<Check> app_log_checks() {
  constexpr const char* kKind = SLIPWAY_KIND_SCHEDULER;
  return {
      {"app.streams",
       kKind,
       Needs::kApp,
       "the logs have what replicas wrote to stdout and to stderr (abi/logs.h)",
       "collect both streams, and deliver both for SLIPWAY_STREAM_COMBINED",
       with_programs(&app_streams),
       {"app.logs"}},
      {"app.log_replicas",
       kKind,
       Needs::kApp,
       "a target with several replicas selects the logs of each, and of no other (abi/logs.h)",
       "read all replica_count numbers in slipway_log_target.replicas",
       with_programs(&app_log_replicas),
       {"app.logs"}},
      {"app.log_times",
       kKind,
       Needs::kApp,
       "since_ns and until_ns select what was written between them; a scheduler that keeps no "
       "times returns SLIPWAY_E_UNIMPLEMENTED (abi/logs.h)",
       "apply both times, or refuse them in log_open",
       with_programs(&app_log_times),
       {"app.logs"}},
      {"app.last_line",
       kKind,
       Needs::kApp,
       "the logs end when all output was delivered, also a last line without a line end "
       "(abi/logs.h)",
       "deliver what is left of a line when the app has ended",
       with_programs(&app_last_line),
       {"app.logs"}},
  };
}

}  // namespace slipway::check
