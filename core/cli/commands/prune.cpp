#include <fmt/core.h>

#include <boost/json.hpp>
#include <utility>

#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/apps/app_selection.hpp"
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

/// Throws Error kUsage for selectors that select everything, or apps that have not ended.
void check_selectors(const AppSelectors& selectors) {
  if (selectors.before.empty() && selectors.since.empty() && selectors.names.empty() &&
      selectors.state.empty() && selectors.labels.empty()) {
    throw Error(Code::kUsage, "no filter says which apps to delete",
                "give --before 30d, --name 'test-*' or --state FAILED");
  }
  if (!selectors.state.empty() && !is_terminal(parse_state("--state", selectors.state))) {
    throw Error(Code::kUsage, "--state " + selectors.state + ": an app in this state has not ended",
                "`slipway cancel` ends apps");
  }
}

void print_table(const std::vector<ListedApp>& apps) {
  std::vector<std::vector<std::string>> rows{{"HANDLE", "STATE", "SUBMITTED", "NAME"}};
  for (const auto& [handle, item] : apps) {
    rows.push_back({to_string(handle), std::string(to_string(item.state)),
                    item.submitted_at ? logs::time_text(*item.submitted_at) : "-", item.name});
  }
  write_output(text_table(rows));
}

}  // namespace

int prune(Invocation& invocation, const PruneCommand& command) {
  check_selectors(command.apps);
  const std::vector<ListedApp> apps =
      select_apps(invocation, command.apps, SelectedApps::kFinished);
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
