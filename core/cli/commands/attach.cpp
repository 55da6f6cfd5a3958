#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/apps/foreground.hpp"
#include "core/cli/commands/commands.hpp"

namespace slipway::cli {

int attach(Invocation& invocation, const AttachCommand& command) {
  const AppHandle handle = find_app(invocation, command.handle);
  existing_app(invocation, handle, StatusDetail::kApp);
  // From here ^C cancels the app, but the app outlives this command.
  Interrupts interrupts;
  FollowOptions options;
  options.show_logs = !command.no_log;
  options.forward_interrupts = true;
  return report_end(invocation, follow_app(invocation, handle, interrupts, options));
}

}  // namespace slipway::cli
