#include "core/cli/apps/event_lines.hpp"

#include <boost/json.hpp>
#include <chrono>
#include <utility>

#include "core/cli/output/json_output.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/logs/time_text.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::cli {

namespace json = boost::json;

namespace {

// Whether the documents stand between lines of the logs.
constexpr bool kAmongLines = true;
constexpr bool kAlone = false;

TimeNs now() {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since_1970).count();
}

std::string json_line(const json::object& document) {
  return visible_json(json::serialize(document)) + "\n";
}

std::string text_line(TimeNs time, const std::string& text) {
  return (time ? logs::local_time_text(*time) : "-") + "  " + text + "\n";
}

std::string replica_name(const std::string& role, std::int32_t replica) {
  return role + "/" + std::to_string(replica);
}

}  // namespace

EventLines::EventLines(Invocation& invocation, const AppHandle& handle)
    : EventLines(invocation, handle, kAlone, {}, write_bytes) {}

EventLines::EventLines(Invocation& invocation, const AppHandle& handle, const ReplicaFilter& filter,
                       Write write)
    : EventLines(invocation, handle, kAmongLines, filter, std::move(write)) {}

EventLines::EventLines(Invocation& invocation, const AppHandle& handle, bool is_among_lines,
                       ReplicaFilter filter, Write write)
    : handle_(handle),
      as_json_(invocation.json()),
      is_among_lines_(is_among_lines),
      filter_(std::move(filter)),
      write_(std::move(write)),
      limits_(invocation, handle),
      waits_(
          ReplicaWaits::Grouping::kByReplica, [this](const Wait& wait) { write_(line(wait)); },
          filter_),
      message_([this](const Wait& wait) { write_(line(wait)); }) {}

bool EventLines::wants(const AppEvent& event) const {
  if (is_among_lines_ && !is_failure(event)) return false;
  return !filter_ || filter_(event.role, event.replica);
}

void EventLines::print_new(const Description& app) {
  std::string out;
  for (const AppEvent& event : reader_.read(app)) {
    if (wants(event)) out += line(event);
  }
  if (!out.empty()) write_(out);
}

/// Returns the document of an event or wait of the app. For a replica, the caller replaces some
/// nulls.
json::object EventLines::document(TimeNs time, const char* event, AppState state,
                                  const std::string& text) const {
  json::object out{{"time", time_json(time)},
                   {"event", event},
                   {"role", nullptr},
                   {"replica", nullptr},
                   {"attempt", nullptr},
                   {"state", to_string(state)},
                   {"exit_code", nullptr},
                   {"signal", nullptr},
                   {"reason", nullptr},
                   {"text", text},
                   {"handle", to_string(handle_)}};
  if (is_among_lines_) {
    out["stream"] = nullptr;
    out["line"] = nullptr;
  }
  return out;
}

std::string EventLines::line(const AppEvent& event) {
  const std::string text = event_text(event, limits_.of(event.role));
  const bool is_app = event.role.empty();
  if (!as_json_) {
    const std::string name = is_app ? handle_.app_id : replica_name(event.role, event.replica);
    return visible_text(text_line(event.time, name + " " + text));
  }
  json::object out = document(event.time, to_string(event.kind), event.state, text);
  out["reason"] = text_or_null(event.reason);
  if (!is_app) out["role"] = event.role;
  if (!is_app) out["replica"] = event.replica;
  if (!is_app) out["attempt"] = event.attempt;
  if (event.exit_code) out["exit_code"] = *event.exit_code;
  if (event.signal != 0) out["signal"] = event.signal;
  return json_line(out);
}

std::string EventLines::line(const Wait& wait) const {
  const bool is_app = wait.role.empty();
  const bool is_end = wait.text.empty();
  std::string text = is_end ? "no longer waits" : wait.text;
  if (!is_app) text = "waits for " + text;
  if (!as_json_) {
    std::string name = is_app ? handle_.app_id : replica_name(wait.role, wait.replicas.front());
    if (is_app && !is_end) name += ':';  // the message is a sentence of its own
    return visible_text(text_line(now(), name + " " + text));
  }
  json::object out = document(now(), is_end ? "wait_ended" : "waiting", wait.state, text);
  if (!is_app) out["role"] = wait.role;
  if (!is_app) out["replica"] = wait.replicas.front();
  if (!is_app) out["attempt"] = wait.attempt;
  if (!wait.next_attempt_at.empty()) out["next_attempt_at"] = wait.next_attempt_at;
  return json_line(out);
}

}  // namespace slipway::cli
