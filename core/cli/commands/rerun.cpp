#include <utility>

#include "core/cli/apps/handle_argument.hpp"
#include "core/cli/apps/lookup.hpp"
#include "core/cli/commands/commands.hpp"

namespace slipway::cli {

int rerun(Invocation& invocation, const RunCommand& command) {
  const AppHandle handle = find_app(invocation, command.app);
  existing_app(invocation, handle, StatusDetail::kApp);
  std::optional<AppDef> app = invocation.runner().describe(handle);
  if (!app) throw AppNotReRunnable(handle);
  RunCommand again = command;
  if (again.scheduler.empty()) again.scheduler = handle.scheduler;
  return run_app(invocation, *std::move(app), again);
}

}  // namespace slipway::cli
