// `resource list`: every name that an app file may use.
#include <string>
#include <vector>

#include "core/cli/apps/app_source.hpp"
#include "core/cli/commands/resource_json.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/output/text_table.hpp"
#include "core/cli/parser/site_commands.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/stream_write.hpp"
#include "core/resources/conditions.hpp"

namespace slipway::cli {

namespace {

std::string count_text(std::int64_t count) { return count == -1 ? "-" : std::to_string(count); }

std::vector<std::string> row_of(const resources::ResourceEntry& entry) {
  std::string source = entry.source;
  for (const std::string& other : entry.shadows) source += ", shadows " + other;
  const Resource& resource = entry.resolved.resource;
  if (entry.error) return {entry.name, "error", "", "", source};
  return {entry.name, count_text(resource.cpu), count_text(resource.gpu),
          count_text(resource.mem_mb), source};
}

}  // namespace

int resource_list(Invocation& invocation, const ResourceListCommand& command) {
  const auto conditions = command.fits ? resources::parse_conditions(*command.fits)
                                       : std::vector<resources::Condition>();
  boost::json::object document;
  std::vector<std::vector<std::string>> rows = {{"NAME", "CPU", "GPU", "MEMMB", "SOURCE"}};
  for (const resources::ResourceEntry& entry : invocation.resources().entries()) {
    if (!conditions.empty() && (entry.error || !fits(entry.resolved.resource, conditions)))
      continue;
    if (invocation.json()) {
      document[entry.name] = resource_json(entry);
    } else {
      rows.push_back(row_of(entry));
    }
    if (entry.error) say(*entry.error);
  }
  if (invocation.json()) {
    write_json(document);
  } else {
    write_output(text_table(rows));
  }
  tell_unusable_manifests(invocation);
  return kExitOk;
}

}  // namespace slipway::cli
