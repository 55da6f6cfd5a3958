#include <boost/json.hpp>
#include <utility>

#include "core/cli/apps/app_errors.hpp"
#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/apps/app_selection.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"

namespace slipway::cli {

int delete_apps(Invocation& invocation, const DeleteCommand& command) {
  // Finds all apps before deleting any, so that a misspelt handle deletes nothing.
  const std::vector<AppHandle> handles = chosen_apps(
      invocation, command.apps, command.force ? SelectedApps::kAny : SelectedApps::kFinished);
  AppErrors errors;
  std::string running;
  for (const AppHandle& handle : handles) {
    errors.run(handle, [&] {
      const auto status = app_to_remove(invocation, handle);
      if (status && !is_over(status->description))
        running += (running.empty() ? "" : ", ") + handle.app_id;
    });
  }
  errors.throw_if_not_found();
  if (!running.empty() && !command.force) {
    throw Error(Code::kPrecondition, "not deleted, because not finished: " + running,
                "cancel them first, or use --force, which kills their replicas");
  }
  Runner& runner = invocation.runner();
  if (!running.empty()) {
    CancelOptions kill;
    kill.now = true;
    for (const AppHandle& handle : handles)  // for an app that has ended, this does nothing
      errors.run(handle, [&] { runner.cancel(handle, kill); });
    for (const AppHandle& handle : handles) errors.run(handle, [&] { runner.wait(handle); });
  }
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
  const int status = errors.report(handles.size());
  if (invocation.json()) {
    write_json(boost::json::object{{"deleted", std::move(deleted)}, {"errors", std::move(failed)}});
  }
  return status;
}

}  // namespace slipway::cli
