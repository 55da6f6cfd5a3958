#include <boost/json.hpp>
#include <cmath>
#include <cstddef>

#include "core/cli/apps/app_errors.hpp"
#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/apps/app_selection.hpp"
#include "core/cli/apps/foreground.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"

namespace slipway::cli {
namespace {

/// Waits until a cancelled app has ended, and reports its end. Returns the exit status.
int report_cancelled(Invocation& invocation, const AppHandle& handle,
                     boost::json::array& document) {
  wait_within_limit(invocation, handle, {}, "; its cancellation stays requested");
  const AppStatus status = existing_app(
      invocation, handle, invocation.json() ? StatusDetail::kReplicas : StatusDetail::kApp);
  if (invocation.json()) document.push_back(status_json(status));
  say(LogLevel::kInfo, handle.app_id + " is " + std::string(to_string(status.description.state)));
  warn_of_unknown_end(status);
  if (is_terminal(status.description.state)) return kExitOk;
  // The app has ended with an unknown result, or was restarted after the wait.
  return is_over(status.description) ? kExitInternal : kExitTemporary;
}

/// Warns of a cancelled app whose record is damaged and does not show how the app ended.
void warn_of_damaged_record(const AppHandle& handle, const Error& damage) {
  say(LogLevel::kWarning,
      handle.app_id + " was cancelled, but its damaged record does not show how it ended: " +
          damage.message() + "; `slipway delete` removes the record");
}

/// Returns the document of an app whose state is not known because of the error.
boost::json::object unknown_json(const AppHandle& handle, const Error& error) {
  AppStatus status{handle, {}};
  status.description.msg = error.message();
  return status_json(status);
}

}  // namespace

int cancel(Invocation& invocation, const CancelCommand& command) {
  CancelOptions options;
  options.now = command.now;
  if (command.grace_s) options.grace_ms = std::llround(*command.grace_s * 1000);
  // Finds all apps before cancelling any, so that a misspelt handle cancels nothing.
  const ChosenApps chosen = chosen_apps(invocation, command.apps, SelectedApps::kActive);
  const int not_queried = report_failures(chosen.failures, !chosen.apps.empty());
  AppErrors errors;
  const std::vector<AppHandle> handles =
      errors.run_each(chosen, [&](const AppHandle& handle) { app_to_remove(invocation, handle); });
  for (const AppHandle& handle : handles)
    errors.run(handle, [&] { invocation.runner().cancel(handle, options); });
  boost::json::array document;
  int result = kExitOk;
  for (std::size_t i = 0; i < handles.size(); ++i) {
    const AppHandle& handle = handles[i];
    errors.run(handle, [&] {
      try {
        const int ended = report_cancelled(invocation, handle, document);
        if (result == kExitOk) result = ended;
      } catch (const Error& damage) {
        if (damage.code() != Code::kInvalid) throw;
        warn_of_damaged_record(handle, damage);
        if (invocation.json()) document.push_back(unknown_json(handle, damage));
      }
    });
    if (i >= chosen.named && errors.forget_if_not_found(handle)) continue;
    const Error* const error = errors.of(handle);
    if (error != nullptr && invocation.json()) document.push_back(unknown_json(handle, *error));
  }
  const int failed = errors.report(handles.size());
  if (invocation.json()) write_json(document);
  if (failed != kExitOk) return failed;
  return result != kExitOk ? result : not_queried;
}

}  // namespace slipway::cli
