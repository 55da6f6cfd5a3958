#include <boost/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/cli/apps/app_errors.hpp"
#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/apps/app_selection.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"

namespace slipway::cli {
namespace {

/// Kills the apps and waits for their ends. Does not wait for an app whose record is damaged,
/// because the record does not show the end.
void kill_and_wait(Invocation& invocation, const std::vector<AppHandle>& apps, AppErrors& errors) {
  CancelOptions kill;
  kill.now = true;
  for (const AppHandle& app : apps) errors.run(app, [&] { invocation.runner().cancel(app, kill); });
  for (const AppHandle& app : apps) {
    errors.run(app, [&] {
      try {
        wait_within_limit(invocation, app, {}, ", and is not deleted");
      } catch (const Error& damage) {
        if (damage.code() != Code::kInvalid) throw;
      }
    });
  }
}

}  // namespace

int delete_apps(Invocation& invocation, const DeleteCommand& command) {
  // Finds all apps before deleting any, so that a misspelt handle deletes nothing.
  const ChosenApps chosen = chosen_apps(
      invocation, command.apps, command.force ? SelectedApps::kAny : SelectedApps::kFinished);
  const int not_queried = report_failures(chosen.failures, /*continues=*/true);
  AppErrors errors;
  std::vector<AppHandle> active;  // the apps that may run, also those whose record is damaged
  std::string running;
  const std::vector<AppHandle> handles = errors.run_each(chosen, [&](const AppHandle& handle) {
    const auto status = app_to_remove(invocation, handle);
    if (status && is_over(status->description)) return;
    active.push_back(handle);
    if (status) running += (running.empty() ? "" : ", ") + handle.app_id;
  });
  if (!running.empty() && !command.force) {
    throw Error(Code::kPrecondition, "not deleted, because not finished: " + running,
                "cancel them first, or use --force, which kills their replicas");
  }
  Runner& runner = invocation.runner();
  if (command.force) kill_and_wait(invocation, active, errors);
  boost::json::array deleted;
  boost::json::array failed;
  for (const AppHandle& handle : handles) {
    if (!errors.run(handle, [&] { runner.delete_app(handle); })) {
      failed.push_back(boost::json::object{{"handle", to_string(handle)},
                                           {"message", errors.of(handle)->message()}});
      continue;
    }
    deleted.emplace_back(to_string(handle));
    say(LogLevel::kInfo, handle.app_id + " is deleted");
  }
  for (const auto& [scheduler, error] : chosen.failures) {
    failed.push_back(boost::json::object{{"scheduler", scheduler}, {"message", error.message()}});
  }
  const int status = errors.report(handles.size());
  if (invocation.json()) {
    write_json(boost::json::object{{"deleted", std::move(deleted)}, {"errors", std::move(failed)}});
  }
  return status != kExitOk ? status : not_queried;
}

}  // namespace slipway::cli
