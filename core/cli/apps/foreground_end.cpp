#include "core/cli/apps/foreground_end.hpp"

#include <fmt/core.h>

#include "core/cli/output/json_output.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/status/outcome.hpp"

namespace slipway::cli {

namespace json = boost::json;

json::object handle_json(const AppHandle& handle) {
  return {{"handle", to_string(handle)},
          {"app_id", handle.app_id},
          {"scheduler", handle.scheduler},
          {"session", handle.session}};
}

void warn_of_unknown_end(const AppStatus& status) {
  const Description& app = status.description;
  if (app.state != AppState::kUnknown || !is_over(app)) return;
  say(LogLevel::kError, fmt::format("{} has ended, and how is not known{}{}", status.handle.app_id,
                                    app.msg.empty() ? "" : ": ", app.msg));
}

int tell_end(Invocation& invocation, const ForegroundResult& result) {
  if (invocation.json()) {
    json::object document = handle_json(result.status.handle);
    document["status"] = status_json(result.status);
    write_json(document);
  }
  if (result.interrupted) return kExitInterrupted;
  const Description& app = result.status.description;
  if (app.state == AppState::kFailed) {
    say(LogLevel::kError,
        fmt::format("{} FAILED: {}", result.status.handle.app_id, failure_text(app)));
  } else if (app.state == AppState::kCancelled) {
    say(LogLevel::kWarning, result.status.handle.app_id + " was cancelled");
  }
  warn_of_unknown_end(result.status);
  return is_over(app) ? exit_status(app) : kExitTemporary;
}

}  // namespace slipway::cli
