// The commands of who looks after a site: resources and plug-ins. As commands.hpp has it, functions
// return the exit status and throw Error.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/cli/invocation/invocation.hpp"
#include "core/cli/options/cli11_names.hpp"

namespace slipway::cli {

struct ResourceListCommand {
  std::optional<std::string> fits;  ///< `gpu>=2,memMB<=65536`
};
int resource_list(Invocation& invocation, const ResourceListCommand& command);

struct ResourceShowCommand {
  std::string name;
};
int resource_show(Invocation& invocation, const ResourceShowCommand& command);

struct ResourceCheckCommand {
  std::string file;
};
int resource_check(Invocation& invocation, const ResourceCheckCommand& command);

struct PluginShowCommand {
  std::string id;
};
int plugin_show(Invocation& invocation, const PluginShowCommand& command);

struct PluginCheckCommand {
  std::string file;  ///< a manifest or a library
};
int plugin_check(Invocation& invocation, const PluginCheckCommand& command);

struct PluginDoctorCommand {};
int plugin_doctor(Invocation& invocation, const PluginDoctorCommand& command);

/// The storage of their options.
struct SiteCommands {
  PluginShowCommand plugin_show;
  PluginCheckCommand plugin_check;
  PluginDoctorCommand plugin_doctor;
  ResourceListCommand resource_list;
  ResourceShowCommand resource_show;
  ResourceCheckCommand resource_check;
};

/// Adds the command `resource` and those below it to `app`. The one that is given on the command
/// line is put into `chosen`; all three live as long as each other.
void add_resource_commands(CLI::App& app, SiteCommands& commands,
                           std::function<int(Invocation&)>& chosen);

/// Adds to the command `plugin` what is below it, as above.
void add_plugin_commands(CLI::App& plugin, SiteCommands& commands,
                         std::function<int(Invocation&)>& chosen);

}  // namespace slipway::cli
