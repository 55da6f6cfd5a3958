#include "core/cli/apps/event_lines.hpp"

#include <boost/json.hpp>

#include "core/cli/output/json_output.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/logs/time_text.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::cli {

namespace json = boost::json;

EventLines::EventLines(Invocation& invocation, const AppHandle& handle)
    : handle_(handle), as_json_(invocation.json()) {
  const std::optional<AppDef> app = invocation.runner().describe(handle);
  if (!app) return;
  for (const Role& role : app->roles)
    limits_.emplace(role.name, RetryLimit{role.max_retries, role.retry_policy});
}

void EventLines::print_new(const Description& app) {
  std::string out;
  for (const AppEvent& event : reader_.read(app)) out += line(event);
  if (!out.empty()) write_bytes(as_json_ ? out : visible_text(out));
}

std::string EventLines::line(const AppEvent& event) const {
  const auto limit = limits_.find(event.role);
  const std::string text = event_text(event, limit == limits_.end() ? nullptr : &limit->second);
  std::string time;
  if (event.time)
    time = as_json_ ? logs::time_text(*event.time) : logs::local_time_text(*event.time);
  const bool is_app = event.role.empty();
  if (!as_json_) {
    const std::string name =
        is_app ? handle_.app_id : event.role + "/" + std::to_string(event.replica);
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
                   {"text", text},
                   {"handle", to_string(handle_)}};
  if (!is_app) out["replica"] = event.replica;
  if (!is_app) out["attempt"] = event.attempt;
  if (event.exit_code) out["exit_code"] = *event.exit_code;
  if (event.signal != 0) out["signal"] = event.signal;
  return visible_json(json::serialize(out)) + "\n";
}

}  // namespace slipway::cli
