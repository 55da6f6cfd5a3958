#include <boost/json.hpp>
#include <map>
#include <string>

#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/logs/time_text.hpp"
#include "core/status/app_events.hpp"
#include "slipway/runner_errors.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::cli {

namespace {

namespace json = boost::json;

/// Prints the events of one app.
class EventOutput {
 public:
  /// Borrows `invocation`, which must outlive this object.
  EventOutput(Invocation& invocation, const AppHandle& handle)
      : app_id_(handle.app_id), as_json_(invocation.json()) {
    const std::optional<AppDef> app = invocation.runner().describe(handle);
    if (!app) return;
    for (const Role& role : app->roles)
      limits_.emplace(role.name, RetryLimit{role.max_retries, role.retry_policy});
  }

  /// Prints what `app`, which has every replica, shows and no earlier description showed.
  void print_new(const Description& app) {
    std::string out;
    for (const AppEvent& event : reader_.read(app)) out += line(event);
    if (!out.empty()) write_bytes(as_json_ ? out : visible_text(out));
  }

 private:
  std::string line(const AppEvent& event) const {
    const auto limit = limits_.find(event.role);
    const std::string text = event_text(event, limit == limits_.end() ? nullptr : &limit->second);
    std::string time;
    if (event.time)
      time = as_json_ ? logs::time_text(*event.time) : logs::local_time_text(*event.time);
    const bool is_app = event.role.empty();
    if (!as_json_) {
      const std::string name = is_app ? app_id_ : event.role + "/" + std::to_string(event.replica);
      return (time.empty() ? "-" : time) + "  " + name + " " + text + "\n";
    }
    json::object out{{"time", text_or_null(time)},
                     {"event", to_string(event.kind)},
                     {"role", text_or_null(event.role)},
                     {"replica", nullptr},
                     {"attempt", nullptr},
                     {"state", to_string(event.state)},
                     {"exit_code", nullptr},
                     {"signal", nullptr},
                     {"reason", text_or_null(event.reason)},
                     {"text", text}};
    if (!is_app) out["replica"] = event.replica;
    if (!is_app) out["attempt"] = event.attempt;
    if (event.exit_code) out["exit_code"] = *event.exit_code;
    if (event.signal != 0) out["signal"] = event.signal;
    return visible_json(json::serialize(out)) + "\n";
  }

  std::string app_id_;
  bool as_json_;
  std::map<std::string, RetryLimit> limits_;  // by role
  EventReader reader_;
};

}  // namespace

int events(Invocation& invocation, const EventsCommand& command) {
  const AppHandle handle = find_app(invocation, command.handle);
  const AppStatus status = existing_app(invocation, handle);
  EventOutput output(invocation, handle);
  output.print_new(status.description);
  if (!command.follow || is_over(status.description)) return kExitOk;
  WaitOptions wait;
  wait.on_replicas = [&](const Description& app) { output.print_new(app); };
  if (invocation.runner().wait(handle, wait) == WaitResult::kNoSuchApp) throw UnknownApp(handle);
  output.print_new(existing_app(invocation, handle).description);
  return kExitOk;
}

}  // namespace slipway::cli
