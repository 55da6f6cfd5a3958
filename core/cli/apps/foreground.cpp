#include "core/cli/apps/foreground.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "core/cli/apps/log_pump.hpp"
#include "core/cli/apps/lookup.hpp"
#include "core/cli/terminal/diagnostics.hpp"

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

/// Prints a message of a running app, such as what its replicas wait for, once it has lasted for a
/// second.
class AppMessage {
 public:
  explicit AppMessage(std::string app_id) : app_id_(std::move(app_id)) {}

  /// Returns the time until the message is due; none: nothing is to be printed.
  std::optional<std::chrono::milliseconds> look(const Description& app) {
    if (app.msg.empty()) {
      if (is_printed_) say(LogLevel::kInfo, app_id_ + " no longer waits");
      is_printed_ = false;
      since_.reset();
      return std::nullopt;
    }
    if (is_printed_) return std::nullopt;
    const auto now = std::chrono::steady_clock::now();
    if (!since_) since_ = now;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*since_ + kPatience - now);
    if (left.count() > 0) return left;
    is_printed_ = true;
    say(LogLevel::kWarning, app_id_ + ": " + app.msg);
    return std::nullopt;
  }

 private:
  static constexpr std::chrono::seconds kPatience{1};

  std::string app_id_;
  std::optional<std::chrono::steady_clock::time_point> since_;
  bool is_printed_ = false;
};

}  // namespace

ForegroundResult stay_with(Invocation& invocation, const AppHandle& handle, Interrupts& interrupts,
                           const ForegroundOptions& options) {
  interrupts.end_when_stuck();
  std::optional<LogPump> pump;
  if (options.show_logs) start_logs(invocation, handle, pump);
  WaitOptions wait;
  wait.wake_fd = interrupts.fd();
  AppMessage message(handle.app_id);
  wait.on_look = [&](const Description& app) { return message.look(app); };
  int count = 0;
  while (true) {
    interrupts.handled();
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
