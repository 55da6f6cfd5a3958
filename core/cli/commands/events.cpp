#include <utility>

#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/apps/event_lines.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "slipway/runner_errors.hpp"

namespace slipway::cli {

int events(Invocation& invocation, const EventsCommand& command) {
  const AppHandle handle = find_app(invocation, command.handle);
  const AppStatus status =
      command.follow ? app_to_follow(invocation, handle) : existing_app(invocation, handle);
  EventLines output(invocation, handle);
  output.print_new(status.description);
  if (!command.follow || is_over(status.description)) return kExitOk;
  WaitOptions wait;
  wait.on_look = [&](const Description& app) { return output.print_message(app); };
  wait.on_replicas = [&](const Description& app) {
    output.print_new(app);
    return output.print_waits(app);
  };
  if (wait_within_limit(invocation, handle, std::move(wait)) == WaitResult::kNoSuchApp)
    throw UnknownApp(handle);
  output.print_new(app_to_follow(invocation, handle).description);
  return kExitOk;
}

}  // namespace slipway::cli
