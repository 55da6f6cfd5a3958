#include <algorithm>
#include <boost/json.hpp>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "core/cli/apps/all_schedulers.hpp"
#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/apps/app_selection.hpp"
#include "core/cli/apps/sweep_labels.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/list_tables.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/cli/terminal/time_limit.hpp"
#include "core/logs/time_text.hpp"
#include "core/spec/problem.hpp"
#include "core/status/resource_use.hpp"
#include "sdk/support/plain_number.hpp"

namespace slipway::cli {

namespace {

/// A longer list has details only with --full or --table, because each app costs a query.
constexpr std::size_t kMaxWithDetails = 100;

/// Reports manifests that cannot be read: apps of their schedulers are missing from the list. Does
/// not report manifests with mistakes, because every command does.
void report_unreadable_manifests(Runner& runner, boost::json::array& errors) {
  for (const spec::Problem& problem : runner.plugins().registry().problems()) {
    if (problem.code != Code::kUnavailable && problem.code != Code::kDenied) continue;
    const std::string text = problem.where.file + ": " + problem.message;
    say(LogLevel::kWarning, "the list may lack apps: " + text);
    errors.push_back(boost::json::object{{"scheduler", nullptr}, {"message", text}});
  }
}

/// Returns the query for the part of a scheduler's list that the command needs.
ListQuery query_of(const ListCommand& command, const AppFilter& filter) {
  ListQuery out;
  const std::optional<AppState>& wanted = filter.state();
  // An app in the state UNKNOWN may have ended.
  const bool may_have_ended =
      wanted ? is_terminal(*wanted) || *wanted == AppState::kUnknown : command.apps.all;
  out.active_only = !may_have_ended;
  out.since = filter.since();
  // The scheduler does not apply these selectors, so the newest apps of its list may not be the
  // newest apps that they select.
  const bool selects_later = wanted || filter.has_session() || !command.apps.names.empty() ||
                             !command.apps.labels.empty() || !command.apps.before.empty();
  if (!selects_later) out.limit = command.limit;
  return out;
}

/// Returns the answer of each scheduler. With -s, a failure of the scheduler is a failure of the
/// command. Otherwise the command still lists the apps of the other schedulers.
std::vector<SchedulerAnswer<std::vector<ListItem>>> answers_of(Runner& runner,
                                                               const std::string& scheduler,
                                                               const ListQuery& query) {
  if (scheduler.empty()) return runner.list_of(schedulers_or_throw(runner), query);
  const std::string name = real_scheduler(runner, scheduler);
  return {{name, runner.list(name, query), std::nullopt, false}};
}

/// Adds those apps of a scheduler's list that the command shows.
void add_shown(Invocation& invocation, const ListCommand& command, const AppFilter& filter,
               const std::string& scheduler, const std::vector<ListItem>& items,
               std::vector<ListedApp>& apps) {
  std::int64_t left = command.limit > 0 ? command.limit : std::ssize(items);
  for (const ListItem& item : items) {
    if (left == 0) return;
    const std::string& session =
        item.session.empty() ? invocation.runner().session() : item.session;
    ListedApp app{{scheduler, session, item.app_id}, item};
    const bool is_wanted = filter.state() || command.apps.all || !is_terminal(item.state);
    if (!is_wanted || !filter.selects(app)) continue;
    --left;
    apps.push_back(std::move(app));
  }
}

/// Queries the details of an app. With `with_use`, also what the app used, which needs the status
/// of each replica. Without `asks_clusters`, gets only the labels of an app of a cluster.
AppDetails details_of(Invocation& invocation, const ListedApp& app, bool asks_clusters,
                      bool with_use) {
  AppDetails out;
  try {
    out.labels = labels_of(invocation, app.handle);
    // The scheduler has already reported why it cannot read the app.
    if (app.item.state == AppState::kUnknown) return out;
    Runner& runner = invocation.runner();
    const bool is_local =
        runner.scheduler(app.handle.scheduler, app.handle.session).foreground_by_default();
    if (!is_local && !asks_clusters) return out;
    const auto status =
        runner.status(app.handle, with_use ? StatusDetail::kReplicas : StatusDetail::kMerged);
    if (!status) return out;
    out.started_at = status->description.started_at;
    out.finished_at = status->description.finished_at;
    if (with_use) out.use = resource_use(status->description);
    if (is_over(status->description)) out.exit = exit_status(status->description);
  } catch (const Error& error) {
    if (is_end_of_time_limit(error.code())) throw;
    out.problem = error.message();
  }
  return out;
}

/// Returns the row of an app in the document. `details` is null if they were not queried; apps
/// without a session get `session`.
boost::json::object json_of(const ListedApp& app, const AppDetails* details,
                            const std::string& session, bool with_use) {
  boost::json::object out = list_item_json(app.handle.scheduler, app.item, session);
  const auto time = [](TimeNs at) {
    return at ? boost::json::value(logs::time_text(*at)) : boost::json::value();
  };
  boost::json::object labels;
  if (details != nullptr)
    for (const auto& [key, value] : details->labels) labels[key] = value;
  out["started_at"] = details != nullptr ? time(details->started_at) : boost::json::value();
  out["finished_at"] = details != nullptr ? time(details->finished_at) : boost::json::value();
  out["exit_status"] = details != nullptr && details->exit ? boost::json::value(*details->exit)
                                                           : boost::json::value();
  if (details != nullptr && with_use) add_use(details->use, out);
  out["labels"] = details != nullptr ? boost::json::value(std::move(labels)) : boost::json::value();
  return out;
}

/// Returns the index of an app in the grid of its sweep; 0 if it is not known.
std::size_t index_in_grid(const StrDict& labels) {
  const std::string* const text = find(labels, kSweepIndexLabel);
  return plain_number<std::size_t>(text != nullptr ? *text : "").value_or(0);
}

/// Returns the labels of an app, or none if they cannot be read.
StrDict known_labels(Invocation& invocation, const AppHandle& handle) {
  try {
    return labels_of(invocation, handle);
  } catch (const Error& error) {
    if (is_end_of_time_limit(error.code())) throw;
    return {};
  }
}

/// Puts the apps of a sweep into the order of its grid. `details` may be empty.
void sort_by_index(Invocation& invocation, std::vector<ListedApp>& apps,
                   std::vector<AppDetails>& details) {
  std::vector<std::pair<std::size_t, std::size_t>> order;  // index in the grid, place in `apps`
  for (std::size_t i = 0; i < apps.size(); ++i) {
    order.emplace_back(index_in_grid(details.empty() ? known_labels(invocation, apps[i].handle)
                                                     : details[i].labels),
                       i);
  }
  std::sort(order.begin(), order.end());
  std::vector<ListedApp> sorted_apps;
  std::vector<AppDetails> sorted_details;
  for (const auto& [index, at] : order) {
    sorted_apps.push_back(std::move(apps[at]));
    if (!details.empty()) sorted_details.push_back(std::move(details[at]));
  }
  apps = std::move(sorted_apps);
  details = std::move(sorted_details);
}

/// Throws Error kNotFound if the sweep, which has no apps, does not exist either. A sweep in the
/// background is an app itself, and exists before it starts the first app of its grid.
void require_sweep(Invocation& invocation, const std::string& sweep) {
  try {
    existing_app(invocation, find_app(invocation, sweep), StatusDetail::kApp);
  } catch (const Error& error) {
    if (error.code() != Code::kNotFound) throw;
    throw Error(Code::kNotFound, "there is no sweep " + spec::quoted(sweep),
                "`slipway list` takes no app; `slipway status` shows one");
  }
}

/// Returns the command with the selectors of its sweep: its apps in any state.
ListCommand with_sweep(ListCommand command) {
  if (command.sweep.empty()) return command;
  const std::string id = command.sweep.substr(command.sweep.find_last_of('/') + 1);
  command.apps.labels.push_back(std::string(kSweepLabel) + "=" + id);
  command.apps.all = command.apps.all || command.apps.state.empty();
  return command;
}

/// Prints that the list has no apps, and which apps it would show.
void say_none(const ListCommand& command, const AppFilter& filter) {
  const bool narrows = filter.has_session() || filter.since() || !command.apps.names.empty() ||
                       !command.apps.labels.empty() || !command.apps.before.empty();
  say(LogLevel::kInfo, narrows ? "no apps are selected"
                       : filter.state()
                           ? "no apps in state " + std::string(to_string(*filter.state()))
                       : command.apps.all ? "no apps"
                                          : "no active apps; --all also shows finished ones");
}

}  // namespace

int list(Invocation& invocation, const ListCommand& given) {
  const ListCommand command = with_sweep(given);
  const AppFilter filter(invocation, command.apps);
  const ListQuery query = query_of(command, filter);
  Runner& runner = invocation.runner();
  boost::json::array errors;
  if (command.apps.scheduler.empty()) report_unreadable_manifests(runner, errors);
  std::vector<ListedApp> apps;
  for (const auto& answer : answers_of(runner, command.apps.scheduler, query)) {
    const auto& [scheduler, items, error, is_logged] = answer;
    if (is_absent(answer)) {
      say(LogLevel::kDebug, scheduler + " is skipped: " + error->message());
      continue;
    }
    warn_if_failed(answer);
    if (error) {
      errors.push_back(
          boost::json::object{{"scheduler", scheduler}, {"message", error->message()}});
      continue;
    }
    add_shown(invocation, command, filter, scheduler, items, apps);
  }
  std::vector<AppDetails> details;
  std::set<std::string> problems;
  if (command.full || command.table || apps.size() <= kMaxWithDetails) {
    for (const ListedApp& app : apps) {
      details.push_back(details_of(invocation, app, command.full || command.table, command.table));
      const std::string& problem = details.back().problem;
      if (problem.empty()) continue;
      const std::string text = app.handle.app_id + ": " + problem;
      // An engine that does not answer has the same problem with each app.
      if (problems.insert(problem).second)
        say(LogLevel::kWarning, "the list lacks details of " + text);
      errors.push_back(boost::json::object{{"scheduler", app.handle.scheduler}, {"message", text}});
    }
  }
  if (!command.sweep.empty()) sort_by_index(invocation, apps, details);
  if (!command.sweep.empty() && apps.empty()) require_sweep(invocation, command.sweep);
  if (invocation.json()) {
    boost::json::array rows;
    for (std::size_t i = 0; i < apps.size(); ++i)
      rows.push_back(json_of(apps[i], details.empty() ? nullptr : &details[i], runner.session(),
                             command.table));
    write_json(boost::json::object{{"apps", std::move(rows)}, {"errors", std::move(errors)}});
  } else if (apps.empty()) {
    say_none(command, filter);
  } else if (command.table) {
    write_output(label_table(apps, details));
  } else {
    write_output(app_table(apps, details));
  }
  return kExitOk;
}

}  // namespace slipway::cli
