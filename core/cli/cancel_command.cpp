#include <boost/json.hpp>
#include <cmath>

#include "core/cli/commands.hpp"
#include "core/cli/diagnostics.hpp"
#include "core/cli/exit_status.hpp"
#include "core/cli/foreground_end.hpp"
#include "core/cli/handle_argument.hpp"
#include "core/cli/json_output.hpp"
#include "core/cli/lookup.hpp"

namespace slipway::cli {

int cancel(Invocation& invocation, const CancelCommand& command) {
  CancelOptions options;
  options.now = command.now;
  if (command.grace_s) options.grace_ms = std::llround(*command.grace_s * 1000);
  // all of them are found before any is touched: a typing error cancels nothing
  std::vector<AppHandle> handles;
  for (const std::string& text : command.handles) {
    handles.push_back(find_app(invocation, text));
    app_to_remove(invocation, handles.back());
  }
  for (const AppHandle& handle : handles) invocation.runner().cancel(handle, options);
  boost::json::array document;
  int result = kExitOk;
  for (const AppHandle& handle : handles) {
    invocation.runner().wait(handle);
    const AppStatus status = existing_app(
        invocation, handle, invocation.json() ? StatusDetail::kReplicas : StatusDetail::kApp);
    if (invocation.json()) document.push_back(status_json(status));
    say(LogLevel::kInfo, handle.app_id + " is " + std::string(to_string(status.description.state)));
    warn_of_unknown_end(status);
    if (!is_terminal(status.description.state) && result == kExitOk)
      result = is_over(status.description) ? kExitInternal : kExitTemporary;
  }
  if (invocation.json()) write_json(document);
  return result;
}

}  // namespace slipway::cli
