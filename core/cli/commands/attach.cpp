#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/apps/foreground.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/terminal/time_limit.hpp"

namespace slipway::cli {

int attach(Invocation& invocation, const AttachCommand& command) {
  check_events_option(invocation, command.events);
  const AppHandle handle = find_app(invocation, command.handle);
  app_to_follow(invocation, handle, StatusDetail::kApp);  // throws if the app does not exist
  lift_time_limit();                                      // --timeout does not limit the app
  // From here ^C asks whether to cancel the app. Other signals end only this command.
  Interrupts interrupts;
  FollowOptions options;
  options.show_logs = !command.no_log;
  options.show_failures = !command.no_events;
  options.prints_events = command.events;
  options.cancelling = Cancelling::kAfterQuestion;
  return report_end(invocation, follow_app(invocation, handle, interrupts, options));
}

}  // namespace slipway::cli
