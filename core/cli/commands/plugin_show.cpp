// `plugin show ID`: all that is known of one plug-in without running it.
#include <boost/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/cli/commands/plugin_json.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/output/text_table.hpp"
#include "core/cli/parser/site_commands.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/stream_write.hpp"
#include "core/registry/libraries/checksum.hpp"
#include "core/spec/near_name.hpp"

namespace slipway::cli {

namespace {

namespace json = boost::json;
using registry::PluginEntry;
using registry::PluginInfo;

/// A plug-in as it was read and as `plugin list` has it.
struct Shown {
  const PluginEntry* entry;
  PluginInfo info;
};

bool is_called(const PluginEntry& plugin, const std::string& name) {
  if (plugin.id == name) return true;
  for (const registry::Provided& provided : plugin.provides) {
    if (provided.name == name) return true;
  }
  return false;
}

// All entries of the plug-in's id, the one in force first.
std::vector<Shown> find_plugin(registry::Registry& registry, const std::string& name) {
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
  std::vector<Shown> out;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].id == id && !id.empty()) out.push_back({&entries[i], infos[i]});
  }
  if (out.empty()) {
    const std::string near = spec::did_you_mean(name, known);
    throw Error(Code::kNotFound, "there is no plug-in " + spec::quoted(name),
                near.empty() ? "`slipway plugin list` lists those that there are" : near);
  }
  return out;
}

std::string checksum_of(const PluginEntry& plugin) {
  try {
    return plugin.library.empty() ? std::string() : registry::sha256_of_file(plugin.library);
  } catch (const Error&) {
    return {};  // that it cannot be read is the plug-in's error already
  }
}

std::string config_text(const PluginEntry& plugin) {
  std::string out;
  spec::append_json(plugin.config, out);
  return out;
}

json::object shown_json(const std::vector<Shown>& all) {
  const PluginEntry& plugin = *all.front().entry;
  json::object out = plugin_json(all.front().info);
  out["description"] = text_or_null(plugin.description);
  out["license"] = text_or_null(plugin.license);
  out["url"] = text_or_null(plugin.url);
  out["origin"] = registry::to_string(plugin.origin);
  out["override"] = plugin.overrides;
  out["sha256"] = text_or_null(checksum_of(plugin));
  out["pinned"] = text_or_null(plugin.sha256);
  out["config"] = json::parse(config_text(plugin));
  json::array shadowed;
  for (std::size_t i = 1; i < all.size(); ++i) {
    shadowed.push_back(json::object{{"manifest", spec::to_string(all[i].entry->source)},
                                    {"difference", text_or_null(all[i].entry->difference)}});
  }
  out["shadows"] = std::move(shadowed);
  return out;
}

std::string shown_text(const std::vector<Shown>& all) {
  const PluginEntry& plugin = *all.front().entry;
  const PluginInfo& info = all.front().info;
  std::vector<std::vector<std::string>> rows;
  const auto row = [&](const char* what, std::string text) {
    if (!text.empty()) rows.push_back({std::string("  ") + what, std::move(text)});
  };
  row("state", registry::to_string(info.state));
  row("why", info.error);
  row("version", plugin.version);
  row("description", plugin.description);
  row("license", plugin.license);
  row("url", plugin.url);
  row("manifest", spec::to_string(plugin.source) + " (" + registry::to_string(plugin.origin) + ")");
  row("library", plugin.library);
  row("sha256", checksum_of(plugin) + (plugin.sha256.empty() ? "" : " (pinned)"));
  row("abi", plugin.abi);
  for (const registry::Provided& provided : plugin.provides) {
    const std::string entry = provided.entry == provided.name ? "" : " (" + provided.entry + ")";
    row(registry::noun(provided.group), provided.name + entry);
  }
  if (!plugin.config.entries.empty()) row("config", config_text(plugin));
  for (std::size_t i = 1; i < all.size(); ++i) {
    const PluginEntry& loser = *all[i].entry;
    row("shadows", spec::to_string(loser.source) + (loser.difference.empty()
                                                        ? ", which is equal"
                                                        : ", which differs: " + loser.difference));
  }
  return plugin.id + "\n" + text_table(rows);
}

}  // namespace

int plugin_show(Invocation& invocation, const PluginShowCommand& command) {
  const std::vector<Shown> all = find_plugin(invocation.runner().plugins().registry(), command.id);
  if (invocation.json()) {
    write_json(shown_json(all));
  } else {
    write_output(shown_text(all));
  }
  return kExitOk;
}

}  // namespace slipway::cli
