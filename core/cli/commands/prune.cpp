#include <fmt/core.h>
#include <fnmatch.h>

#include <boost/json.hpp>
#include <utility>

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

namespace json = boost::json;

/// A finished app that the filters select.
struct Selected {
  AppHandle handle;
  ListItem item;
};

/// The filters of the command. An app is selected if each given filter selects it.
class Filters {
 public:
  explicit Filters(const PruneCommand& command)
      : name_(command.name), submitted_before_(logs::parse_bound(command.before)) {
    if (command.before.empty() && command.name.empty() && command.state.empty()) {
      throw Error(Code::kUsage, "no filter says which apps to delete",
                  "give --before 30d, --name 'test-*' or --state FAILED");
    }
    if (command.state.empty()) return;
    state_ = parse_state("--state", command.state);
    if (!is_terminal(*state_))
      throw Error(Code::kUsage, "--state " + command.state + ": an app in this state has not ended",
                  "`slipway cancel` ends apps");
  }

  bool selects(const ListItem& item) const {
    if (!is_terminal(item.state) || (state_ && item.state != *state_)) return false;
    if (!name_.empty() && ::fnmatch(name_.c_str(), item.name.c_str(), 0) != 0) return false;
    // The age of an app without a time is not known, so no age selects it.
    return !submitted_before_ || (item.submitted_at && *item.submitted_at < *submitted_before_);
  }

 private:
  std::string name_;
  TimeNs submitted_before_;
  std::optional<AppState> state_;
};

/// Returns the selected apps of one scheduler or of all. With one, its failure is thrown;
/// otherwise a warning names each scheduler that did not answer.
std::vector<Selected> find_selected(Invocation& invocation, const PruneCommand& command) {
  const Filters filters(command);
  Runner& runner = invocation.runner();
  std::vector<SchedulerAnswer<std::vector<ListItem>>> answers;
  if (!command.scheduler.empty()) {
    answers.push_back({command.scheduler, runner.list(command.scheduler, {}), std::nullopt, false});
  } else {
    answers = runner.list_of(schedulers_or_throw(runner), {});
  }
  std::vector<Selected> out;
  for (auto& answer : answers) {
    const bool is_absent = answer.error && answer.error->code() == Code::kPrecondition;
    if (!is_absent) warn_if_failed(answer);
    if (answer.error) continue;
    for (ListItem& item : answer.answer) {
      if (!filters.selects(item)) continue;
      const std::string& session = item.session.empty() ? runner.session() : item.session;
      AppHandle handle{answer.scheduler, session, item.app_id};
      out.push_back({std::move(handle), std::move(item)});
    }
  }
  return out;
}

void print_table(const std::vector<Selected>& apps) {
  std::vector<std::vector<std::string>> rows{{"HANDLE", "STATE", "SUBMITTED", "NAME"}};
  for (const auto& [handle, item] : apps) {
    rows.push_back({to_string(handle), std::string(to_string(item.state)),
                    item.submitted_at ? logs::time_text(*item.submitted_at) : "-", item.name});
  }
  write_output(text_table(rows));
}

}  // namespace

int prune(Invocation& invocation, const PruneCommand& command) {
  const std::vector<Selected> apps = find_selected(invocation, command);
  json::array handles;
  json::array errors;
  if (!invocation.json() && !apps.empty()) print_table(apps);
  for (const auto& [handle, item] : apps) {
    try {
      if (command.yes) invocation.runner().delete_app(handle);
      handles.emplace_back(to_string(handle));
    } catch (const Error& error) {
      // Another command may have deleted the app since the list.
      if (error.code() == Code::kNotFound) continue;
      say(LogLevel::kError, to_string(handle) + " is not deleted: " + error.message());
      errors.push_back(json::object{{"handle", to_string(handle)}, {"message", error.message()}});
    }
  }
  const std::size_t count = handles.size();
  const char* const plural = count == 1 ? "" : "s";
  if (command.yes) {
    say(LogLevel::kInfo, fmt::format("{} app{} deleted", count, plural));
  } else {
    say(LogLevel::kWarning, fmt::format("{} app{} would be deleted, with records and logs{}", count,
                                        plural, count == 0 ? "" : "; --yes deletes them"));
  }
  if (invocation.json()) {
    write_json(json::object{{command.yes ? "deleted" : "would_delete", std::move(handles)},
                            {"errors", errors}});
  }
  return errors.empty() ? kExitOk : kExitTemporary;
}

}  // namespace slipway::cli
