// `resource show NAME`: what it is, and which file says so, value by value.
#include <string>
#include <utility>
#include <vector>

#include "core/cli/commands/resource_json.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/output/text_table.hpp"
#include "core/cli/parser/site_commands.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/stream_write.hpp"
#include "core/spec/app_json.hpp"

namespace slipway::cli {

namespace {

namespace json = boost::json;

// The value of a field as in FieldMarks: "cpu", "capabilities.zone".
std::string value_of(const json::object& resource, const std::string& field) {
  const std::size_t dot = field.find('.');
  const json::value* group = resource.if_contains(field.substr(0, dot));
  if (group == nullptr || dot == std::string::npos)
    return group != nullptr ? json::serialize(*group) : std::string();
  const json::value* value = group->as_object().if_contains(field.substr(dot + 1));
  return value != nullptr ? json::serialize(*value) : std::string();
}

std::string place_of(const resources::ResourceEntry& entry, const registry::FieldOrigin& origin) {
  if (!origin.where.file.empty()) return spec::to_string(origin.where);
  return origin.resource == entry.name ? entry.source : "a plug-in";
}

json::object origins_json(const resources::ResourceEntry& entry) {
  json::object out;
  for (const registry::FieldOrigin& origin : entry.resolved.origins) {
    out[origin.field] =
        json::object{{"resource", origin.resource}, {"source", place_of(entry, origin)}};
  }
  return out;
}

std::string joined(const std::vector<std::string>& texts, const char* between) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : between) + text;
  return out;
}

std::string text_of(const resources::ResourceEntry& entry) {
  std::string out = entry.name + "  " + entry.source + " (" + entry.origin + ")\n";
  const auto& resolved = entry.resolved;
  if (!resolved.deprecated.empty()) out += "deprecated: " + resolved.deprecated + "\n";
  if (!resolved.inherited.empty()) out += "inherits: " + joined(resolved.inherited, " -> ") + "\n";
  if (!entry.shadows.empty()) out += "shadows: " + joined(entry.shadows, ", ") + "\n";
  const json::object resource = spec::to_json(resolved.resource);
  std::vector<std::vector<std::string>> rows;
  for (const registry::FieldOrigin& origin : resolved.origins) {
    rows.push_back({"  " + origin.field, value_of(resource, origin.field), origin.resource,
                    place_of(entry, origin)});
  }
  out += rows.empty() ? "  nothing is said\n" : text_table(rows);
  for (const auto& [scheduler, special] : resolved.on_schedulers) {
    out += "on " + scheduler + ": " + json::serialize(spec::to_json(special)) + "\n";
  }
  return out;
}

}  // namespace

int resource_show(Invocation& invocation, const ResourceShowCommand& command) {
  const resources::ResourceEntry entry = invocation.resources().entry(command.name);
  if (entry.error) throw *entry.error;
  if (invocation.json()) {
    json::object out = resource_json(entry);
    out["origins"] = origins_json(entry);
    write_json(json::object{{entry.name, std::move(out)}});
  } else {
    write_output(text_of(entry));
  }
  return kExitOk;
}

}  // namespace slipway::cli
