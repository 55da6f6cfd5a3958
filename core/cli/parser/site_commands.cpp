#include "core/cli/parser/site_commands.hpp"

#include <CLI/CLI.hpp>

namespace slipway::cli {

namespace {

using Chosen = std::function<int(Invocation&)>;

template <class Command>
CLI::App* add(CLI::App& group, const char* name, const char* help, const Command& command,
              int (*run)(Invocation&, const Command&), Chosen& chosen) {
  CLI::App* sub = group.add_subcommand(name, help);
  sub->callback([&command, &chosen, run] {
    chosen = [&command, run](Invocation& invocation) { return run(invocation, command); };
  });
  return sub;
}

}  // namespace

void add_resource_commands(CLI::App& app, SiteCommands& commands, Chosen& chosen) {
  CLI::App* resource = app.add_subcommand("resource", "The named resources that there are");
  resource->require_subcommand(1);
  add(*resource, "list", "All named resources: what they are and where they are from",
      commands.resource_list, &resource_list, chosen)
      ->add_option("--fits", commands.resource_list.fits,
                   "Only those that fit: gpu>=2,memMB<=65536")
      ->type_name("CONDITIONS")
      ->configurable(false);
  add(*resource, "show", "One of them, and where each of its values comes from",
      commands.resource_show, &resource_show, chosen)
      ->add_option("NAME", commands.resource_show.name, "What app files call it")
      ->required()
      ->type_name("");
  add(*resource, "check", "What is wrong with the resources of a file", commands.resource_check,
      &resource_check, chosen)
      ->add_option("FILE", commands.resource_check.file, "A manifest or a file for resources.d")
      ->required()
      ->type_name("");
}

void add_plugin_commands(CLI::App& plugin, SiteCommands& commands, Chosen& chosen) {
  add(plugin, "show", "One plug-in: what it is, provides and is configured with",
      commands.plugin_show, &plugin_show, chosen)
      ->add_option("ID", commands.plugin_show.id, "Its id, or a name that it provides")
      ->required()
      ->type_name("");
  add(plugin, "doctor",
      "Everything that is wrong with plug-ins, manifests and configuration, and what to do",
      commands.plugin_doctor, &plugin_doctor, chosen);
  add(plugin, "check", "Whether a manifest or a library would be used", commands.plugin_check,
      &plugin_check, chosen)
      ->add_option("FILE", commands.plugin_check.file, "A manifest (.toml) or a library (.so)")
      ->required()
      ->type_name("");
}

}  // namespace slipway::cli
