#include "core/cli/invocation/plugin_configuration.hpp"

#include "core/registry/manifests/manifest.hpp"

namespace slipway::cli {

registry::AllPluginSettings plugin_settings(const config::Settings& settings) {
  registry::AllPluginSettings out;
  const auto lay = [&](bool locked) {
    for (const config::Setting& setting : settings.in_order()) {
      if (setting.key.section != config::Section::kPlugin || setting.locked != locked) continue;
      registry::PluginSettings& plugin = out[setting.key.name];
      plugin.config.type = spec::NodeType::kTable;
      plugin.source = setting.where;
      if (setting.key.option == "enabled") {
        plugin.enabled = setting.value.boolean;
        plugin.enabled_source = setting.where;
      } else {
        registry::merge_config(plugin.config, setting.value);
      }
    }
  };
  lay(false);
  lay(true);
  return out;
}

}  // namespace slipway::cli
