// `plugin list`, and `plugin show ID`: print what manifests say about plug-ins. Load no plug-in.
#include <boost/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/cli/commands/commands.hpp"
#include "core/cli/invocation/configuration.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/output/text_table.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/registry/libraries/checksum.hpp"
#include "core/spec/near_name.hpp"
#include "core/spec/secret_names.hpp"
#include "sdk/support/joined.hpp"

namespace slipway::cli {

namespace {

namespace json = boost::json;
using registry::PluginEntry;
using registry::PluginInfo;

/// Returns {"id","version","abi","manifest","library","enabled","provides","state","error",
/// "warning"}.
json::object plugin_json(const PluginInfo& plugin) {
  json::object provides;
  for (const registry::Group group : registry::kGroups) {
    json::array names;
    for (const registry::Provided& provided : plugin.provides) {
      if (provided.group == group) names.emplace_back(provided.name);
    }
    provides[registry::to_string(group)] = std::move(names);
  }
  json::object out;
  out["id"] = plugin.id;
  out["version"] = plugin.version;
  out["abi"] = plugin.abi;
  out["manifest"] = plugin.manifest.file;
  out["library"] = text_or_null(plugin.library);
  out["enabled"] = plugin.enabled;
  out["provides"] = std::move(provides);
  out["state"] = registry::to_string(plugin.state);
  out["error"] = text_or_null(plugin.error);
  out["warning"] = text_or_null(plugin.warning);
  return out;
}

std::string names_of(const PluginInfo& plugin) {
  if (plugin.provides.empty()) return "-";
  return joined(plugin.provides, ", ", [](const auto& provided) { return provided.name; });
}

/// A manifest's entry, and the same entry as `plugin list` prints it.
struct ShownPlugin {
  const PluginEntry* entry;
  PluginInfo info;
};

/// Returns whether `name` is the plug-in's id or one of its providers.
bool is_called(const PluginEntry& plugin, const std::string& name) {
  if (plugin.id == name) return true;
  for (const registry::Provided& provided : plugin.provides) {
    if (provided.name == name) return true;
  }
  return false;
}

/// Returns all entries of the plug-in that has the id `name` or, without such a plug-in, provides
/// `name`. The entry in force comes first.
std::vector<ShownPlugin> find_plugin(registry::Registry& registry, const std::string& name) {
  const std::vector<PluginEntry>& entries = registry.entries();
  const std::vector<PluginInfo> infos = registry.plugins();
  std::string id;
  std::vector<std::string> known;
  for (const PluginEntry& entry : entries) {
    if (id.empty() && entry.id == name) id = name;
    known.push_back(entry.id);
    for (const registry::Provided& provided : entry.provides) known.push_back(provided.name);
  }
  for (const PluginEntry& entry : entries) {
    if (id.empty() && is_called(entry, name)) id = entry.id;
  }
  std::vector<ShownPlugin> out;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].id == id && !id.empty()) out.push_back({&entries[i], infos[i]});
  }
  if (out.empty()) {
    const std::string near = spec::did_you_mean(name, known);
    throw Error(Code::kNotFound, "there is no plug-in " + spec::quoted(name),
                near.empty()
                    ? std::string("`slipway plugin list` lists all; ") + registry::kMorePlaces
                    : near);
  }
  return out;
}

std::string checksum_of(const PluginEntry& plugin) {
  try {
    return plugin.library.empty() ? std::string() : registry::sha256_of_file(plugin.library);
  } catch (const Error&) {
    return {};  // the plug-in's own error already reports that the library cannot be read
  }
}

/// Returns the checksum of the library, and whether it is the one that the manifest pins.
std::string checksum_text(const PluginEntry& plugin) {
  const std::string checksum = checksum_of(plugin);
  if (checksum.empty() || plugin.sha256.empty()) return checksum;
  return checksum + (checksum == plugin.sha256 ? " (pinned)" : " (not the pinned one)");
}

/// Returns the configuration of the plug-in as JSON. Without --show-secrets, it redacts secrets.
std::string config_text(const PluginEntry& plugin, bool show_secrets) {
  spec::Node config = plugin.config;
  if (!show_secrets) spec::redact_secrets(config, {});
  std::string out;
  spec::append_json(config, out);
  return out;
}

json::object shown_json(const std::vector<ShownPlugin>& all, bool show_secrets) {
  const PluginEntry& plugin = *all.front().entry;
  json::object out = plugin_json(all.front().info);
  out["description"] = text_or_null(plugin.description);
  out["license"] = text_or_null(plugin.license);
  out["url"] = text_or_null(plugin.url);
  out["origin"] = registry::to_string(plugin.origin);
  out["override"] = plugin.overrides;
  out["sha256"] = text_or_null(checksum_of(plugin));
  out["pinned"] = text_or_null(plugin.sha256);
  out["config"] = json::parse(config_text(plugin, show_secrets));
  json::array shadowed;
  for (std::size_t i = 1; i < all.size(); ++i) {
    shadowed.push_back(json::object{{"manifest", spec::to_string(all[i].entry->source)},
                                    {"difference", text_or_null(all[i].entry->difference)}});
  }
  out["shadows"] = std::move(shadowed);
  return out;
}

std::string shown_text(const std::vector<ShownPlugin>& all, bool show_secrets) {
  const PluginEntry& plugin = *all.front().entry;
  const PluginInfo& info = all.front().info;
  std::vector<std::vector<std::string>> rows;
  const auto row = [&](const char* what, std::string text) {
    if (!text.empty()) rows.push_back({std::string("  ") + what, std::move(text)});
  };
  row("state", registry::to_string(info.state));
  row("why", info.error);
  row("warning", info.warning);
  row("version", plugin.version);
  row("description", plugin.description);
  row("license", plugin.license);
  row("url", plugin.url);
  row("manifest", spec::to_string(plugin.source) + " (" + registry::to_string(plugin.origin) + ")");
  row("library", plugin.library);
  row("sha256", checksum_text(plugin));
  row("abi", plugin.abi);
  for (const registry::Provided& provided : plugin.provides) {
    const std::string entry = provided.entry == provided.name ? "" : " (" + provided.entry + ")";
    row(registry::noun(provided.group), provided.name + entry);
  }
  if (!plugin.config.entries.empty()) row("config", config_text(plugin, show_secrets));
  for (std::size_t i = 1; i < all.size(); ++i) {
    const PluginEntry& loser = *all[i].entry;
    row("shadows", spec::to_string(loser.source) + (loser.difference.empty()
                                                        ? ", which is equal"
                                                        : ", which differs: " + loser.difference));
  }
  return plugin.id + "\n" + text_table(rows);
}

}  // namespace

int plugin_list(Invocation& invocation) {
  registry::Registry& registry = invocation.runner().plugins().registry();
  const std::vector<PluginInfo> plugins = registry.plugins();
  if (invocation.json()) {
    json::array rows;
    for (const PluginInfo& plugin : plugins) rows.push_back(plugin_json(plugin));
    json::array searched;
    for (const registry::SearchEntry& entry : registry.searched()) {
      searched.push_back(json::object{{"path", entry.path},
                                      {"origin", registry::to_string(entry.origin)},
                                      {"state", entry.state}});
    }
    json::array problems;
    for (const spec::Problem& problem : registry.problems()) {
      problems.push_back(problem_json(problem));
    }
    write_json(json::object{{"plugins", std::move(rows)},
                            {"searched", std::move(searched)},
                            {"problems", std::move(problems)}});
    return kExitOk;
  }
  std::vector<std::vector<std::string>> rows = {{"ID", "VERSION", "STATE", "PROVIDES", "MANIFEST"}};
  for (const PluginInfo& plugin : plugins) {
    rows.push_back({plugin.id.empty() ? "-" : plugin.id,
                    plugin.version.empty() ? "-" : plugin.version,
                    registry::to_string(plugin.state), names_of(plugin), plugin.manifest.file});
  }
  write_output(text_table(rows));
  for (const PluginInfo& plugin : plugins) {
    if (!plugin.warning.empty()) say(LogLevel::kWarning, plugin.warning);
    if (plugin.error.empty() || plugin.harmless) continue;
    // Other errors already name the plug-in's file.
    const bool disabled = plugin.state == registry::PluginState::kDisabled;
    say(LogLevel::kWarning, disabled ? plugin.id + ": " + plugin.error : plugin.error);
  }
  // A manifest with errors has a row above, so only warnings remain.
  print_warnings(registry.problems());
  return kExitOk;
}

int plugin_show(Invocation& invocation, const PluginShowCommand& command) {
  const std::vector<ShownPlugin> all =
      find_plugin(invocation.runner().plugins().registry(), command.id);
  const bool show_secrets = invocation.options().show_secrets;
  if (invocation.json()) {
    write_json(shown_json(all, show_secrets));
  } else {
    write_output(shown_text(all, show_secrets));
  }
  return kExitOk;
}

}  // namespace slipway::cli
