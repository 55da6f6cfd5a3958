#include "core/cli/foreground.hpp"

#include <optional>

#include "core/cli/diagnostics.hpp"
#include "core/cli/log_pump.hpp"
#include "core/cli/lookup.hpp"

namespace slipway::cli {

namespace {

/// The first interruption asks the app to end, the next one kills it.
void forward_interrupt(Invocation& invocation, const AppHandle& handle, int count) {
  CancelOptions options;
  options.now = count > 1;
  say(LogLevel::kWarning, options.now ? "killing " + handle.app_id + " now"
                                      : "cancelling " + handle.app_id + "; again to kill it now");
  invocation.runner().cancel(handle, options);
}

/// An app is not given up because its logs cannot be read.
void start_logs(Invocation& invocation, const AppHandle& handle, std::optional<LogPump>& pump) {
  try {
    pump.emplace(invocation, handle);
  } catch (const Error& error) {
    if (error.code() != Code::kUnimplemented && error.code() != Code::kTemporary) throw;
    say(LogLevel::kWarning, error.message());
  }
}

}  // namespace

ForegroundResult stay_with(Invocation& invocation, const AppHandle& handle, Interrupts& interrupts,
                           const ForegroundOptions& options) {
  std::optional<LogPump> pump;
  if (options.show_logs) start_logs(invocation, handle, pump);
  WaitOptions wait;
  wait.wake_fd = interrupts.fd();
  int count = 0;
  while (true) {
    const WaitResult result = invocation.runner().wait(handle, wait);
    if (result != WaitResult::kInterrupted) break;
    if (interrupts.take() == 0) continue;
    if (!options.forward_interrupts) {
      say(LogLevel::kWarning, "stopped waiting; " + to_string(handle) + " goes on");
      return {as_told(invocation, existing_app(invocation, handle, StatusDetail::kApp)), true};
    }
    forward_interrupt(invocation, handle, ++count);
  }
  if (pump) pump->finish(interrupts);
  return {as_told(invocation, existing_app(invocation, handle, StatusDetail::kApp)), false};
}

}  // namespace slipway::cli
