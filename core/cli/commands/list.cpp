#include <boost/json.hpp>

#include "core/cli/apps/all_schedulers.hpp"
#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/output/text_table.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/logs/time_text.hpp"

namespace slipway::cli {

namespace {

/// Reports manifests that cannot be read, and not those with mistakes, which every command reports.
/// Apps of their schedulers are missing from the list.
void report_unreadable_manifests(Runner& runner, boost::json::array& errors) {
  for (const spec::Problem& problem : runner.plugins().registry().problems()) {
    if (problem.code != Code::kUnavailable && problem.code != Code::kDenied) continue;
    const std::string text = problem.where.file + ": " + problem.message;
    say(LogLevel::kWarning, "the list may lack apps: " + text);
    errors.push_back(boost::json::object{{"scheduler", nullptr}, {"message", text}});
  }
}

/// Returns what the command needs of a scheduler's list.
ListQuery query_of(const ListCommand& command, const std::optional<AppState>& wanted) {
  ListQuery out;
  // an app in UNKNOWN may have ended
  const bool may_have_ended =
      wanted ? is_terminal(*wanted) || *wanted == AppState::kUnknown : command.all;
  out.active_only = !may_have_ended;
  if (!command.since.empty()) out.since = logs::parse_bound(command.since);
  // With a state, older apps may be among the newest that have it.
  if (!wanted) out.limit = command.limit;
  return out;
}

/// Returns whether the command shows the app.
bool is_shown(const ListItem& item, const ListCommand& command, const ListQuery& query,
              const std::optional<AppState>& wanted) {
  if (query.since && item.submitted_at && *item.submitted_at < *query.since) return false;
  return wanted ? item.state == *wanted : command.all || !is_terminal(item.state);
}

}  // namespace

int list(Invocation& invocation, const ListCommand& command) {
  std::optional<AppState> wanted;
  if (!command.state.empty()) wanted = parse_state("--state", command.state);
  const ListQuery query = query_of(command, wanted);
  Runner& runner = invocation.runner();
  const bool asks_one = !command.scheduler.empty();
  boost::json::array apps;
  boost::json::array errors;
  if (!asks_one) report_unreadable_manifests(runner, errors);
  std::vector<std::vector<std::string>> rows;
  // With -s, a failure of the scheduler is a failure of the command. Otherwise the command still
  // lists the apps of the other schedulers.
  std::vector<SchedulerAnswer<std::vector<ListItem>>> answers;
  if (asks_one) {
    answers.push_back(
        {command.scheduler, runner.list(command.scheduler, query), std::nullopt, false});
  } else {
    answers = runner.list_of(schedulers_or_throw(runner), query);
  }
  for (const auto& answer : answers) {
    const auto& [scheduler, items, error, is_logged] = answer;
    // The scheduler's system, such as Slurm, is not installed on this host, which is usual.
    if (error && error->code() == Code::kPrecondition) {
      say(LogLevel::kDebug, scheduler + " is skipped: " + error->message());
      continue;
    }
    warn_if_failed(answer);
    if (error) {
      errors.push_back(
          boost::json::object{{"scheduler", scheduler}, {"message", error->message()}});
      continue;
    }
    std::int64_t left = command.limit > 0 ? command.limit : std::ssize(items);
    for (const ListItem& item : items) {
      if (left == 0) break;
      if (!is_shown(item, command, query, wanted)) continue;
      --left;
      if (invocation.json()) {
        apps.push_back(list_item_json(scheduler, item, runner.session()));
        continue;
      }
      const std::string& session = item.session.empty() ? runner.session() : item.session;
      rows.push_back({to_string(AppHandle{scheduler, session, item.app_id}),
                      std::string(to_string(item.state)),
                      item.submitted_at ? logs::time_text(*item.submitted_at) : "-", item.name});
    }
  }
  if (invocation.json()) {
    write_json(boost::json::object{{"apps", std::move(apps)}, {"errors", std::move(errors)}});
  } else if (rows.empty()) {
    say(LogLevel::kInfo, wanted        ? "no apps in state " + std::string(to_string(*wanted))
                         : command.all ? "no apps"
                                       : "no active apps; --all also shows finished ones");
  } else {
    rows.insert(rows.begin(), {"HANDLE", "STATE", "SUBMITTED", "NAME"});
    write_output(text_table(rows));
  }
  return kExitOk;
}

}  // namespace slipway::cli
