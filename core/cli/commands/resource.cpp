// `resource list`, and `resource show NAME`: print the named resources that app files may use.
#include <boost/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/cli/apps/app_source.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/output/text_table.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/resources/conditions.hpp"
#include "core/resources/resource_book.hpp"
#include "core/spec/app_json.hpp"
#include "sdk/support/joined.hpp"

namespace slipway::cli {

namespace {

namespace json = boost::json;

/// Returns an object with the keys cpu, gpu, memMB, capabilities, devices, tags, source, origin,
/// inherits, shadows, deprecated, schedulers and error. For a resource that cannot be used the
/// first six are null, and `error` has the reason.
json::object resource_json(const resources::ResourceEntry& entry) {
  json::object out = spec::to_json(entry.resolved.resource);
  if (entry.error) {
    for (auto& [key, value] : out) value = nullptr;
  }
  json::object schedulers;
  for (const auto& [scheduler, resource] : entry.resolved.on_schedulers)
    schedulers[scheduler] = spec::to_json(resource);
  out["source"] = entry.source;
  out["origin"] = entry.origin;
  out["inherits"] = json::array(entry.resolved.inherited.begin(), entry.resolved.inherited.end());
  out["shadows"] = json::array(entry.shadows.begin(), entry.shadows.end());
  out["deprecated"] = text_or_null(entry.resolved.deprecated);
  out["schedulers"] = std::move(schedulers);
  out["error"] = entry.error ? error_json(*entry.error).at("error") : json::value(nullptr);
  return out;
}

/// Returns "-" for -1, which means that the resource does not set the count.
std::string count_text(std::int64_t count) { return count == -1 ? "-" : std::to_string(count); }

std::vector<std::string> row_of(const resources::ResourceEntry& entry) {
  std::string source = entry.source;
  for (const std::string& other : entry.shadows) source += ", shadows " + other;
  const Resource& resource = entry.resolved.resource;
  if (entry.error) return {entry.name, "error", "", "", source};
  return {entry.name, resource.cpu.is_set() ? to_string(resource.cpu) : "-",
          count_text(resource.gpu), count_text(resource.mem_mb), source};
}

/// Returns the value of a field as JSON. `field` is a name as in FieldMarks: "cpu",
/// "capabilities.zone".
std::string value_of(const json::object& resource, const std::string& field) {
  const std::size_t dot = field.find('.');
  const json::value* group = resource.if_contains(field.substr(0, dot));
  if (group == nullptr || dot == std::string::npos)
    return group != nullptr ? json::serialize(*group) : std::string();
  const json::value* value = group->as_object().if_contains(field.substr(dot + 1));
  return value != nullptr ? json::serialize(*value) : std::string();
}

/// Returns where the value of a field comes from: a place in a file or, for a resource of a
/// plug-in, the plug-in. The id of the plug-in of an inherited resource is not known.
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

std::string text_of(const resources::ResourceEntry& entry) {
  std::string out = entry.name + "  " + entry.source + " (" + entry.origin + ")\n";
  const auto& resolved = entry.resolved;
  if (!resolved.deprecated.empty()) out += "deprecated: " + resolved.deprecated + "\n";
  if (!resolved.inherited.empty()) out += "inherits: " + joined(resolved.inherited, " -> ") + "\n";
  if (!entry.shadows.empty()) out += "shadows: " + joined(entry.shadows) + "\n";
  const json::object resource = spec::to_json(resolved.resource);
  std::vector<std::vector<std::string>> rows;
  for (const registry::FieldOrigin& origin : resolved.origins) {
    rows.push_back({"  " + origin.field, value_of(resource, origin.field), origin.resource,
                    place_of(entry, origin)});
  }
  out += rows.empty() ? "  no values\n" : text_table(rows);
  for (const auto& [scheduler, special] : resolved.on_schedulers) {
    out += "on " + scheduler + ": " + json::serialize(spec::to_json(special)) + "\n";
  }
  return out;
}

/// Returns the resource of that name. Reports the manifests that may define an unknown name.
resources::ResourceEntry find_entry(Invocation& invocation, const std::string& name) {
  try {
    return invocation.resources().entry(name);
  } catch (const Error& error) {
    // The error itself names the plug-ins that did not answer, so only manifests are missing.
    if (error.code() == Code::kNotFound) warn_of_unusable_manifests(invocation);
    throw;
  }
}

}  // namespace

int resource_list(Invocation& invocation, const ResourceListCommand& command) {
  const auto conditions = command.fits ? resources::parse_conditions(*command.fits)
                                       : std::vector<resources::Condition>();
  json::object document;
  std::set<std::string> said;
  std::vector<std::vector<std::string>> rows = {{"NAME", "CPU", "GPU", "MEMMB", "SOURCE"}};
  for (const resources::ResourceEntry& entry : invocation.resources().entries()) {
    // A resource with an error fits nothing; the list without --fits reports the error.
    if (!conditions.empty() && (entry.error || !fits(entry.resolved.resource, conditions)))
      continue;
    if (invocation.json()) {
      document[entry.name] = resource_json(entry);
    } else {
      rows.push_back(row_of(entry));
    }
    // A cycle of bases is one mistake of several resources.
    if (entry.error && said.insert(entry.error->where() + entry.error->message()).second)
      say(*entry.error);
  }
  if (invocation.json()) {
    write_json(document);
  } else {
    write_output(text_table(rows));
  }
  // Named resources of these manifests and plug-ins are missing from the list.
  warn_of_missing_resources(invocation);
  return kExitOk;
}

int resource_show(Invocation& invocation, const ResourceShowCommand& command) {
  const resources::ResourceEntry entry = find_entry(invocation, command.name);
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
