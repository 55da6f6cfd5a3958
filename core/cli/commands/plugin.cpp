#include <boost/json.hpp>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/plugin_json.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/output/text_table.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/stream_write.hpp"

namespace slipway::cli {

namespace {

using registry::PluginInfo;

std::string names_of(const PluginInfo& plugin) {
  std::string out;
  for (const registry::Provided& provided : plugin.provides)
    out += (out.empty() ? "" : ", ") + provided.name;
  return out.empty() ? "-" : out;
}

}  // namespace

int plugin_list(Invocation& invocation) {
  registry::Registry& registry = invocation.runner().plugins().registry();
  const std::vector<PluginInfo> plugins = registry.plugins();
  if (invocation.json()) {
    boost::json::array rows;
    for (const PluginInfo& plugin : plugins) rows.push_back(plugin_json(plugin));
    boost::json::array searched;
    for (const registry::SearchEntry& entry : registry.searched()) {
      searched.push_back(boost::json::object{{"path", entry.path},
                                             {"origin", registry::to_string(entry.origin)},
                                             {"state", entry.state}});
    }
    boost::json::array problems;
    for (const spec::Problem& problem : registry.problems()) {
      problems.push_back(problem_json(problem));
    }
    write_json(boost::json::object{{"plugins", std::move(rows)},
                                   {"searched", std::move(searched)},
                                   {"problems", std::move(problems)}});
    return 0;
  }
  std::vector<std::vector<std::string>> rows = {{"ID", "VERSION", "STATE", "PROVIDES", "MANIFEST"}};
  for (const PluginInfo& plugin : plugins) {
    rows.push_back({plugin.id.empty() ? "-" : plugin.id,
                    plugin.version.empty() ? "-" : plugin.version,
                    registry::to_string(plugin.state), names_of(plugin), plugin.manifest.file});
  }
  write_output(text_table(rows));
  for (const PluginInfo& plugin : plugins) {
    if (plugin.error.empty() || plugin.harmless) continue;
    // the others name the plug-in by its place
    const bool disabled = plugin.state == registry::PluginState::kDisabled;
    say(LogLevel::kWarning, disabled ? plugin.id + ": " + plugin.error : plugin.error);
  }
  // what is wrong with a manifest as a whole has a row above; this is the rest
  for (const spec::Problem& problem : registry.problems()) {
    if (problem.severity == spec::Severity::kWarning)
      say(LogLevel::kWarning, spec::to_string(problem));
  }
  return 0;
}

}  // namespace slipway::cli
