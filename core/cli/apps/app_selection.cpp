#include "core/cli/apps/app_selection.hpp"

#include <fmt/core.h>
#include <fnmatch.h>
#include <locale.h>

#include <algorithm>
#include <utility>

#include "core/cli/apps/all_schedulers.hpp"
#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/time_limit.hpp"
#include "core/logs/time_text.hpp"
#include "core/spec/problem.hpp"
#include "sdk/support/joined.hpp"
#include "sdk/support/role_keys.hpp"

namespace slipway::cli {

namespace {

constexpr std::size_t kMaxNamed = 10;  // apps that the message about the selection names

/// Returns the session of `--session` on the command line. A session from a configuration file or
/// the environment selects no apps.
std::optional<std::string> session_of_command_line(Invocation& invocation) {
  const config::Setting* setting = invocation.config().find({config::Section::kCli, {}, "session"});
  if (setting == nullptr || setting->layer != config::Layer::kFlag) return std::nullopt;
  return invocation.options().session;
}

bool is_wanted(AppState state, SelectedApps which) {
  return which == SelectedApps::kAny || is_terminal(state) == (which == SelectedApps::kFinished);
}

/// Returns the list of `scheduler`, and throws its failure. With an empty name, returns the lists
/// of all schedulers.
std::vector<SchedulerAnswer<std::vector<ListItem>>> lists(Invocation& invocation,
                                                          const std::string& scheduler,
                                                          const ListQuery& query) {
  Runner& runner = invocation.runner();
  if (!scheduler.empty()) {
    const std::string name = real_scheduler(runner, scheduler);
    return {{name, runner.list(name, query), std::nullopt, false}};
  }
  return runner.list_of(schedulers_or_throw(runner), query);
}

/// Prints the selected apps. With `is_complete`, prints a warning if none is selected.
void say_selected(const std::vector<ListedApp>& apps, bool is_complete) {
  if (apps.empty()) {
    if (!is_complete) return;
    say(LogLevel::kWarning, "no app is selected; `slipway list --all` shows all apps");
    return;
  }
  StrList ids;
  for (const ListedApp& app : apps) ids.push_back(app.handle.app_id);
  say(LogLevel::kInfo, fmt::format("selected {} app{}: {}", apps.size(),
                                   apps.size() == 1 ? "" : "s", joined_first(ids, kMaxNamed)));
}

/// Adds the app if it is not there yet. A handle may name its scheduler by the alias `default`.
void add_once(Runner& runner, std::vector<AppHandle>& apps, AppHandle app) {
  const auto is_same = [&](const AppHandle& other) {
    return other.app_id == app.app_id && other.session == app.session &&
           real_scheduler(runner, other.scheduler) == real_scheduler(runner, app.scheduler);
  };
  if (std::none_of(apps.begin(), apps.end(), is_same)) apps.push_back(std::move(app));
}

/// Returns whether the name matches the pattern of fnmatch(3). In it, `?` and `[…]` stand for a
/// character of UTF-8 (glibc also tries bytes), or for a byte on a machine without the locale
/// C.UTF-8.
bool matches_pattern(const std::string& name, const std::string& pattern) {
  static const locale_t utf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  const locale_t before = utf8 != nullptr ? ::uselocale(utf8) : nullptr;
  const bool out = ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
  if (utf8 != nullptr) ::uselocale(before);
  return out;
}

/// Throws Error kUsage if the command line does not say which apps are meant.
void require_choice(Invocation& invocation, const AppSelectors& selectors) {
  if (!selectors.handles.empty() || selectors.any() || session_of_command_line(invocation)) return;
  throw Error(Code::kUsage, "no handle and no selector says which apps are meant",
              "give a handle, or --name 'one-*', --state RUNNING, --label K=V, --all");
}

/// Returns whether a key of an app's metadata is Slipway's own, such as the options of a scheduler,
/// and so no label.
bool is_own_key(const std::string& key) { return key.starts_with(kRoleKeyPrefix); }

/// Returns the app's metadata from its run record or, without one, from its scheduler; empty if
/// neither has it.
StrDict known_metadata(Invocation& invocation, const AppHandle& handle) {
  Runner& runner = invocation.runner();
  if (std::optional<RunRecord> record = runner.run_record(handle)) return std::move(record->labels);
  // A command that is killed after the submission leaves no run record. Then the app's metadata has
  // the labels. Only schedulers of this machine, which run apps in the foreground by default, are
  // queried for it: others would need a query of a cluster for each app.
  if (!runner.scheduler(handle.scheduler, handle.session).foreground_by_default()) return {};
  try {
    const std::optional<AppDef> app = runner.describe(handle);
    return app ? app->metadata : StrDict();
  } catch (const Error& error) {
    if (is_end_of_time_limit(error.code())) throw;
    return {};  // an app of another version, or a damaged record, which the list reports
  }
}

/// Returns the selected apps, and reports them. Returns none if the command line has only handles.
std::vector<ListedApp> apps_beside_handles(Invocation& invocation, const AppSelectors& selectors,
                                           SelectedApps which, std::vector<FailedQuery>& failures) {
  // With handles, --session completes those without a session.
  if (!selectors.any() && !selectors.handles.empty()) return {};
  std::vector<ListedApp> selected = select_apps(invocation, selectors, which, failures);
  say_selected(selected, failures.empty());
  return selected;
}

}  // namespace

int report_failures(const std::vector<FailedQuery>& failures, bool continues) {
  if (failures.empty()) return kExitOk;
  const Error& first = failures.front().error;
  for (const FailedQuery& failure : failures) {
    if (continues || &failure.error != &first) say(failure.error);
  }
  if (!continues) throw Error(first);
  return exit_status(first.code());
}

bool AppSelectors::any() const {
  return all || !scheduler.empty() || !names.empty() || !labels.empty() || !state.empty() ||
         !since.empty() || !before.empty();
}

AppFilter::AppFilter(Invocation& invocation, const AppSelectors& selectors)
    : invocation_(invocation),
      selectors_(selectors),
      session_(session_of_command_line(invocation)),
      since_(logs::parse_bound(selectors.since)),
      before_(logs::parse_bound(selectors.before)) {
  if (!selectors.state.empty()) state_ = parse_state("--state", selectors.state);
  for (const std::string& label : selectors.labels) {
    if (label.empty() || label.front() == '=')
      throw Error(Code::kUsage, "--label " + spec::quoted(label) + ": expected KEY=VALUE or KEY");
  }
}

bool AppFilter::selects(const ListedApp& app) const {
  const ListItem& item = app.item;
  if (session_ && app.handle.session != *session_) return false;
  if (state_ && item.state != *state_) return false;
  const auto matches = [&](const std::string& pattern) {
    return matches_pattern(item.name, pattern);
  };
  if (!selectors_.names.empty() &&
      std::none_of(selectors_.names.begin(), selectors_.names.end(), matches))
    return false;
  // The age of an app without a time is unknown, so neither --since nor --before selects the app.
  if (since_ && (!item.submitted_at || *item.submitted_at < *since_)) return false;
  if (before_ && (!item.submitted_at || *item.submitted_at >= *before_)) return false;
  return selectors_.labels.empty() || fits_labels(app.handle);
}

bool AppFilter::fits_labels(const AppHandle& handle) const {
  StrDict labels;
  try {
    labels = labels_of(invocation_, handle);
  } catch (const Error& error) {
    if (is_end_of_time_limit(error.code())) throw;
    // An app whose labels cannot be read has none.
    say(LogLevel::kDebug, to_string(handle) + ": " + error.message());
  }
  return std::all_of(selectors_.labels.begin(), selectors_.labels.end(), [&](const auto& wanted) {
    const std::size_t equals = wanted.find('=');
    const std::string* value = find(labels, wanted.substr(0, equals));
    return value != nullptr && (equals == std::string::npos || *value == wanted.substr(equals + 1));
  });
}

std::vector<ListedApp> select_apps(Invocation& invocation, const AppSelectors& selectors,
                                   SelectedApps which, std::vector<FailedQuery>& failures) {
  const AppFilter filter(invocation, selectors);
  ListQuery query;
  query.since = filter.since();
  // With active_only, a scheduler still returns the apps in the state UNKNOWN that may run. It may
  // omit those that have ended with a lost outcome, which `--state UNKNOWN` also selects.
  query.active_only = filter.state()
                          ? !is_terminal(*filter.state()) && *filter.state() != AppState::kUnknown
                          : which == SelectedApps::kActive;
  std::vector<ListedApp> out;
  for (auto& answer : lists(invocation, selectors.scheduler, query)) {
    if (answer.error) {
      if (!is_absent(answer)) {
        // Without the place, which is the plug-in, because the message names the scheduler.
        Error failure(answer.error->code(), failed_query(answer.scheduler, *answer.error),
                      answer.error->hint());
        failures.push_back(
            {answer.scheduler, std::move(failure).with_details(answer.error->details())});
      }
      continue;
    }
    for (ListItem& item : answer.answer) {
      const std::string& session =
          item.session.empty() ? invocation.runner().session() : item.session;
      ListedApp app{{answer.scheduler, session, item.app_id}, std::move(item)};
      if (filter.selects(app) && (filter.state() || is_wanted(app.item.state, which)))
        out.push_back(std::move(app));
    }
  }
  return out;
}

ChosenApps chosen_apps(Invocation& invocation, const AppSelectors& selectors, SelectedApps which) {
  require_choice(invocation, selectors);
  ChosenApps out;
  for (const std::string& text : selectors.handles)
    add_once(invocation.runner(), out.apps, find_app(invocation, text));
  out.named = out.apps.size();
  for (ListedApp& app : apps_beside_handles(invocation, selectors, which, out.failures))
    add_once(invocation.runner(), out.apps, std::move(app.handle));
  return out;
}

std::vector<ReplicaSelection> chosen_replicas(Invocation& invocation, const AppSelectors& selectors,
                                              SelectedApps which,
                                              std::vector<FailedQuery>& failures) {
  require_choice(invocation, selectors);
  std::vector<ReplicaSelection> out;
  for (const std::string& text : selectors.handles) out.push_back(find_replicas(invocation, text));
  for (ListedApp& app : apps_beside_handles(invocation, selectors, which, failures))
    out.push_back({std::move(app.handle), std::nullopt, {}});
  return out;
}

std::pair<std::string, std::string> parse_label(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos)
    throw Error(Code::kUsage, "--label " + spec::quoted(text) + ": expected KEY=VALUE");
  const std::string key = text.substr(0, equals);
  if (is_own_key(key)) {
    throw Error(Code::kUsage, "--label " + spec::quoted(text) +
                                  ": keys that begin with slipway. are Slipway's own");
  }
  return {key, text.substr(equals + 1)};
}

StrDict labels_of(Invocation& invocation, const AppHandle& handle) {
  StrDict out = known_metadata(invocation, handle);
  std::erase_if(out, [](const auto& each) { return is_own_key(each.first); });
  return out;
}

}  // namespace slipway::cli
