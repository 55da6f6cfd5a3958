#include "core/cli/apps/foreground_end.hpp"
#include "core/cli/apps/handle_argument.hpp"
#include "core/cli/apps/lookup.hpp"
#include "core/cli/commands/commands.hpp"

namespace slipway::cli {

int attach(Invocation& invocation, const AttachCommand& command) {
  const AppHandle handle = find_app(invocation, command.handle);
  existing_app(invocation, handle, StatusDetail::kApp);
  // from here on ^C is for the app; the app is not for this command: it goes on when the command
  // dies
  Interrupts interrupts;
  ForegroundOptions options;
  options.show_logs = !command.no_log;
  options.forward_interrupts = true;
  return tell_end(invocation, stay_with(invocation, handle, interrupts, options));
}

}  // namespace slipway::cli
