#include "core/cli/commands/plugin_json.hpp"

#include <utility>

#include "core/cli/output/json_output.hpp"

namespace slipway::cli {

using registry::PluginInfo;

boost::json::object plugin_json(const PluginInfo& plugin) {
  boost::json::object provides;
  for (const registry::Group group : registry::kGroups) {
    boost::json::array names;
    for (const registry::Provided& provided : plugin.provides) {
      if (provided.group == group) names.emplace_back(provided.name);
    }
    provides[registry::to_string(group)] = std::move(names);
  }
  boost::json::object out;
  out["id"] = plugin.id;
  out["version"] = plugin.version;
  out["abi"] = plugin.abi;
  out["manifest"] = plugin.manifest.file;
  out["library"] = text_or_null(plugin.library);
  out["enabled"] = plugin.enabled;
  out["provides"] = std::move(provides);
  out["state"] = registry::to_string(plugin.state);
  out["error"] = text_or_null(plugin.error);
  return out;
}

}  // namespace slipway::cli
