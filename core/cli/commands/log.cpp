#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/apps/attempt_logs.hpp"
#include "core/cli/apps/event_watch.hpp"
#include "core/cli/apps/log_printer.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/plugin_output.hpp"
#include "core/logs/time_text.hpp"

namespace slipway::cli {

namespace {

/// An app whose logs the command prints.
struct ChosenApp {
  AppHandle handle;
  std::vector<LogTarget> targets;  // empty: all replicas
};

/// Returns the query that the options describe, for all replicas of any app.
LogQuery query_of(const LogCommand& command) {
  LogQuery query;
  query.follow = command.follow;
  query.stream = parse_stream(command.stream);
  query.since = logs::parse_bound(command.since);
  query.until = logs::parse_bound(command.until);
  if (query.since && query.until && *query.since > *query.until) {
    throw Error(Code::kUsage, "no line can be in this time: --since " + command.since +
                                  " is later than --until " + command.until);
  }
  if (command.attempt && command.follow) {
    throw Error(Code::kUsage, "--attempt and -f cannot be combined: -f shows all later attempts",
                "leave -f out for what the attempt has written so far");
  }
  return query;
}

/// Returns the chosen apps, each once with all replicas that any of its handles names. Adds the
/// schedulers that could not be queried to `failures`.
std::vector<ChosenApp> chosen_logs(Invocation& invocation, const AppSelectors& selectors,
                                   std::vector<FailedQuery>& failures) {
  std::vector<ChosenApp> out;
  for (const ReplicaSelection& chosen :
       chosen_replicas(invocation, selectors, SelectedApps::kAny, failures)) {
    const auto known = std::find_if(
        out.begin(), out.end(), [&](const ChosenApp& each) { return each.handle == chosen.app; });
    const bool has_all = known != out.end() && known->targets.empty();
    ChosenApp& app = known != out.end() ? *known : out.emplace_back(ChosenApp{chosen.app, {}});
    if (!chosen.role) app.targets.clear();
    if (!chosen.role || has_all) continue;
    for (const std::string& role : comma_list(*chosen.role))  // APP/ROLE,ROLE2
      app.targets.push_back({role, chosen.replicas});
  }
  return out;
}

/// Returns whether only one replica can have written the lines of the app.
bool has_one_replica(const AppStatus& status, const LogQuery& query) {
  if (query.targets.size() == 1 && query.targets[0].replicas.size() == 1) return true;
  std::size_t count = 0;
  for (const RoleStatus& role : status.description.roles) {
    for (const ReplicaStatus& replica : role.replicas) {
      if (query.wants(role.role, replica.id) && ++count > 1) return false;
    }
  }
  return count == 1;
}

/// The logs that the command prints.
struct LogPlan {
  std::vector<LogPart> parts;
  std::vector<logs::LogApp> apps;
  std::vector<std::string> schedulers;  // of the apps, each once
  bool has_prefix = false;              // lines need the names of their replicas
  bool any_is_over = false;             // one of the apps has ended
  /// The apps that cannot be read, if the command chose several.
  std::vector<std::pair<AppHandle, Error>> failures;
  std::vector<FailedQuery> failed_queries;
  std::optional<AppStatus> status;  // of the last app; for commands with a single app
};

/// Adds an app to the plan. Raises `most_attempts` to the largest number of attempts of its
/// replicas.
void add_app(Invocation& invocation, const ChosenApp& app, const LogCommand& command,
             LogQuery query, LogPlan& plan, std::size_t& most_attempts) {
  const AppStatus status =
      query.follow ? app_to_follow(invocation, app.handle) : existing_app(invocation, app.handle);
  query.targets = app.targets;
  const auto number = static_cast<std::uint32_t>(plan.apps.size());
  std::vector<LogQuery> queries = {query};
  if (command.attempt) {
    AttemptQueries found = attempt_queries(status, query, *command.attempt);
    queries = std::move(found.queries);
    most_attempts = std::max(most_attempts, found.most_attempts);
  }
  for (LogQuery& each : queries)
    plan.parts.push_back({app.handle, number, std::move(each), command.attempt.has_value()});
  plan.has_prefix = plan.has_prefix || !has_one_replica(status, query);
  plan.any_is_over = plan.any_is_over || is_over(status.description);
  plan.status = status;
  plan.apps.push_back({app.handle.app_id, to_string(app.handle)});
  const bool is_new = std::find(plan.schedulers.begin(), plan.schedulers.end(),
                                app.handle.scheduler) == plan.schedulers.end();
  if (is_new) plan.schedulers.push_back(app.handle.scheduler);
}

LogPlan make_plan(Invocation& invocation, const LogCommand& command) {
  const LogQuery query = query_of(command);
  LogPlan plan;
  const std::vector<ChosenApp> chosen = chosen_logs(invocation, command.apps, plan.failed_queries);
  std::size_t most_attempts = 0;
  for (const ChosenApp& app : chosen) {
    try {
      add_app(invocation, app, command, query, plan, most_attempts);
    } catch (const Error& error) {
      if (chosen.size() == 1) throw;
      plan.failures.emplace_back(app.handle, error);
    }
  }
  plan.has_prefix = plan.has_prefix || plan.apps.size() > 1;
  const bool never_ran = command.attempt && !plan.apps.empty() && most_attempts < *command.attempt;
  // An app without the chosen role or replica has a part, whose reader reports that.
  if (never_ran && plan.parts.empty()) {
    throw Error(Code::kNotFound,
                fmt::format("no replica of {} has had {} attempts; the most are {}",
                            plan.apps.size() == 1 ? plan.apps[0].id : "these apps",
                            *command.attempt, most_attempts),
                "`slipway status` and `slipway events` show the attempts");
  }
  return plan;
}

logs::LogOutputOptions output_options(const Invocation& invocation, const LogCommand& command,
                                      const LogPlan& plan) {
  logs::LogOutputOptions options;
  options.regex = command.regex;
  options.tail = command.tail;
  // The lines of running apps arrive roughly in the order of their times, so they need no merging.
  if (command.merge || (command.follow && plan.any_is_over))
    options.merge = command.merge ? logs::Merge::kYes : logs::Merge::kIfItFits;
  options.style.apps = plan.apps;
  options.style.json = invocation.json();
  options.style.timestamps = command.timestamps;
  options.style.prefix = !command.no_prefix && plan.has_prefix;
  options.style.color = invocation.color(standard_output());
  options.follow = command.follow;
  return options;
}

/// Prints failures and waits of the followed app while the command reads its logs. Only for a
/// single app, because each would need a thread and a runner.
std::shared_ptr<void> watch_events(Invocation& invocation, const LogCommand& command,
                                   const LogPlan& plan, const EventLines::Write& write) {
  const LogPart& part = plan.parts.front();
  ReplicaFilter filter;
  if (!part.query.targets.empty()) {
    filter = [query = part.query](const std::string& role, std::int32_t replica) {
      return query.wants(role, replica);
    };
  }
  const bool omits_old = command.tail || part.query.since;
  return std::make_shared<EventWatch>(invocation, part.app, filter, write,
                                      omits_old ? &plan.status->description : nullptr);
}

void warn_of_missing_times(const LogCommand& command, const LogPlan& plan,
                           const logs::LogOutput& output) {
  const std::string scheduler =
      plan.schedulers.size() == 1 ? plan.schedulers[0] : "one of the schedulers";
  if (command.merge && output.could_not_merge()) {
    say(LogLevel::kWarning, scheduler +
                                " did not record when lines were written, so the lines of one "
                                "replica follow those of another");
  }
  if (output.missed_times()) {
    say(LogLevel::kWarning,
        scheduler + " does not record when lines were written, so --timestamps shows no times");
  }
}

}  // namespace

int log(Invocation& invocation, const LogCommand& command) {
  const LogPlan plan = make_plan(invocation, command);
  const bool continues = !plan.apps.empty() || !plan.failures.empty();
  const int not_queried = report_failures(plan.failed_queries, continues);
  LogPrinter printer(invocation, output_options(invocation, command, plan));
  for (const auto& [app, failure] : plan.failures) printer.add_failure(failure, app);
  const bool watches = command.follow && !command.no_events && plan.apps.size() == 1 &&
                       !is_over(plan.status->description);
  LogPrinter::Watch watch;
  if (watches) {
    watch = [&](const EventLines::Write& write) {
      return watch_events(invocation, command, plan, write);
    };
  }
  printer.print(plan.parts, watch);
  warn_of_missing_times(command, plan, printer.output());
  return not_queried;
}

}  // namespace slipway::cli
