#include "core/cli/output/json_output.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/plugin_crash.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/logs/time_text.hpp"
#include "core/spec/problem.hpp"
#include "core/status/resource_use.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::cli {

namespace json = boost::json;

json::value text_or_null(const std::string& text) {
  return text.empty() ? json::value() : json::value(text);
}

json::object help_json(const std::string& name, const std::string& text) {
  return {{"name", text_or_null(name)}, {"text", text}};
}

json::value time_json(TimeNs time) {
  return time ? json::value(logs::time_text(*time)) : json::value();
}

namespace {

/// Returns a JSON object of a plug-in as a value; null for anything else.
json::value object_or_null(const std::string& text) {
  json::error_code error;
  json::value out = text.empty() ? json::value() : json::parse(text, error);
  return !error && out.is_object() ? out : json::value();
}

json::value name_of(AppState state) {
  const std::string_view name = to_string(state);
  return json::string(name.data(), name.size());
}

/// Returns the document of an attempt.
template <class Attempt>  // AttemptStatus, or ReplicaStatus for the current attempt
json::object attempt_json(const Attempt& attempt) {
  json::object out;
  out["state"] = name_of(attempt.state);
  out["pid"] = attempt.pid > 0 ? json::value(attempt.pid) : json::value();
  out["exit_code"] = attempt.exit_code ? json::value(*attempt.exit_code) : json::value();
  out["signal"] = attempt.signal > 0 ? json::value(attempt.signal) : json::value();
  out["reason"] = text_or_null(attempt.reason);
  out["started_at"] = time_json(attempt.started_at);
  out["finished_at"] = time_json(attempt.finished_at);
  add_use(attempt.use, out);
  return out;
}

/// Returns all attempts, including the current one if it has started.
json::array attempts_json(const ReplicaStatus& replica) {
  json::array out;
  for (const AttemptStatus& earlier : replica.earlier_attempts)
    out.push_back(attempt_json(earlier));
  if (replica.started_at) out.push_back(attempt_json(replica));
  return out;
}

/// Adds the scheduler's own details under their own keys. A detail does not replace a key that
/// every replica has.
void add_details(const std::string& details, json::object& out) {
  if (details.empty()) return;
  boost::system::error_code error;
  json::value value = json::parse(details, error);
  if (error || !value.is_object()) return;
  for (auto& [key, detail] : value.get_object()) out.emplace(key, std::move(detail));
}

json::object replica_json(const ReplicaStatus& replica) {
  json::object out;
  out["id"] = replica.id;
  out["state"] = name_of(replica.state);
  out["hostname"] = text_or_null(replica.hostname);
  out["pid"] = replica.pid > 0 ? json::value(replica.pid) : json::value();
  out["exit_code"] = replica.exit_code ? json::value(*replica.exit_code) : json::value();
  out["signal"] = replica.signal > 0 ? json::value(replica.signal) : json::value();
  out["reason"] = text_or_null(replica.reason);
  out["restarts"] = replica.restarts;
  if (!replica.earlier_attempts.empty()) out["attempts"] = attempts_json(replica);
  out["started_at"] = time_json(replica.started_at);
  out["finished_at"] = time_json(replica.finished_at);
  add_use(replica.use, out);
  out["structured_error_msg"] = text_or_null(replica.structured_error_json);
  add_details(replica.details_json, out);
  return out;
}

}  // namespace

void add_use(const ResourceUse& use, json::object& out) {
  out["cpu_seconds"] =
      use.cpu_time_ns > 0 ? json::value(static_cast<double>(use.cpu_time_ns) / 1e9) : json::value();
  out["max_rss_bytes"] = use.max_rss_bytes > 0 ? json::value(use.max_rss_bytes) : json::value();
}

json::object problem_json(const spec::Problem& problem) {
  json::object out;
  out["file"] = text_or_null(problem.where.file);
  out["line"] = problem.where.line;
  out["column"] = problem.where.column;
  out["severity"] = problem.severity == spec::Severity::kError ? "error" : "warning";
  out["key"] = text_or_null(problem.key);
  out["message"] = problem.message;
  out["hint"] = text_or_null(problem.hint);
  return out;
}

json::object status_json(const AppStatus& status) {
  const Description& d = status.description;
  json::array roles;
  for (const RoleStatus& role : d.roles) {
    json::array replicas;
    replicas.reserve(role.replicas.size());
    for (const ReplicaStatus& replica : role.replicas) replicas.push_back(replica_json(replica));
    roles.push_back(json::object{{"role", role.role}, {"replicas", std::move(replicas)}});
  }
  json::object metadata;
  for (const auto& [key, value] : d.metadata) metadata[key] = value;
  json::object out;
  out["handle"] = to_string(status.handle);
  out["app_id"] = status.handle.app_id;
  out["name"] = d.name;
  out["scheduler"] = status.handle.scheduler;
  out["session"] = status.handle.session;
  out["state"] = name_of(d.state);
  out["num_restarts"] = d.num_restarts;
  out["msg"] = text_or_null(d.msg);
  out["structured_error_msg"] = text_or_null(d.structured_error_json);
  out["ui_url"] = text_or_null(d.ui_url);
  out["submitted_at"] = time_json(d.submitted_at);
  out["started_at"] = time_json(d.started_at);
  out["finished_at"] = time_json(d.finished_at);
  add_use(resource_use(d), out);
  out["metadata"] = std::move(metadata);
  out["roles"] = std::move(roles);
  return out;
}

json::object list_item_json(const std::string& scheduler, const ListItem& item,
                            const std::string& session) {
  json::object out;
  out["handle"] =
      to_string(AppHandle{scheduler, item.session.empty() ? session : item.session, item.app_id});
  out["app_id"] = item.app_id;
  out["name"] = item.name;
  out["scheduler"] = scheduler;
  out["state"] = name_of(item.state);
  out["submitted_at"] = time_json(item.submitted_at);
  return out;
}

json::object error_json(const Error& error) {
  json::object inner;
  inner["code"] = code_name(error.code());
  inner["message"] = error.message();
  inner["hint"] = text_or_null(error.hint());
  inner["where"] = text_or_null(error.where());
  inner["details"] = object_or_null(error.details());
  if (const auto* invalid = dynamic_cast<const spec::InvalidApp*>(&error)) {
    json::array problems;
    for (const spec::Problem& problem : invalid->problems())
      problems.push_back(problem_json(problem));
    if (!invalid->problems().empty())
      inner["where"] = spec::to_string(invalid->problems().front().where);
    inner["problems"] = std::move(problems);
  }
  return json::object{{"error", std::move(inner)}};
}

void write_json(const json::value& document) {
  static bool is_written = false;
  if (is_written) return;
  // The text of an app with ten thousand replicas has some megabytes. This function writes it in
  // pieces, because a large new buffer would take as much time as the serialization.
  std::string buffer(std::size_t{64} * 1024, '\0');
  std::size_t held_back = 0;
  json::serializer serializer;
  serializer.reset(&document);
  while (!serializer.done()) {
    if (held_back == buffer.size()) buffer.resize(2 * buffer.size());
    const std::string_view read =
        serializer.read(buffer.data() + held_back, buffer.size() - held_back);
    const std::string_view piece(buffer.data(), held_back + read.size());
    // A piece ends after a character of one byte, so that it cuts no character of several bytes.
    const auto is_single = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    const auto last = std::find_if(piece.rbegin(), piece.rend(), is_single);
    const auto whole = static_cast<std::size_t>(piece.rend() - last);
    std::string text = visible_json(piece.substr(0, whole));
    if (serializer.done()) text += '\n';
    write_bytes(text);
    held_back = piece.size() - whole;
    std::memmove(buffer.data(), buffer.data() + whole, held_back);
  }
  is_written = true;
  end_json_reports();
}

}  // namespace slipway::cli
