// The commands of CommandTree that concern no submitted app: runopts, completion, help, lint, and
// those of plug-ins, components, resources and configuration.
#include <utility>

#include "core/cli/parser/command_tree.hpp"

namespace slipway::cli {

namespace {

// Whether a command of `config` needs the configuration. `config path` reads it itself, to report
// files that cannot be used.
constexpr bool kReadsConfig = true;
constexpr bool kReadsNoConfig = false;

/// Adds an argument that must be given.
void add_required(CLI::App& command, const char* name, std::string& to, const char* help) {
  command.add_option(name, to, help)->required()->type_name("");
}

}  // namespace

CLI::App& CommandTree::add_below(CLI::App& group, const char* name, const char* help,
                                 Chosen function) {
  CLI::App* command = group.add_subcommand(name, help);
  on_call(*command, std::move(function));
  return *command;
}

void CommandTree::add_runopts(CLI::App& command) {
  on_call(command, [this](Invocation& i) { return cli::run_opts(i, run_opts); });
  command.add_option("SCHED", run_opts.scheduler, "List only options of this scheduler")
      ->type_name("");
}

void CommandTree::add_completion(CLI::App& command) {
  command.callback([this] {
    reads_config = false;
    chosen = [this](Invocation& i) { return cli::completion(i, completion); };
  });
  add_required(command, "SHELL", completion.shell, "bash, zsh or fish");
}

void CommandTree::add_help(CLI::App& command) {
  help_command.make_cli_app = &make_cli_app;
  command.callback([this] {
    reads_config = false;
    chosen = [this](Invocation& i) { return cli::help(i, help_command); };
  });
  command
      .add_option("TOPIC", help_command.words,
                  "A command or a topic; without one, lists all of them")
      ->type_name("");
}

void CommandTree::add_plugin(CLI::App& group) {
  group.require_subcommand(1);
  add_below(group, "list", "List all plug-ins, what they provide, and their manifests",
            [](Invocation& i) { return cli::plugin_list(i); });
  CLI::App& show =
      add_below(group, "show", "Show a plug-in's manifest, providers and configuration",
                [this](Invocation& i) { return cli::plugin_show(i, plugin_show); });
  add_required(show, "ID", plugin_show.id, "The plug-in's id, or a name that it provides");
  plugin_doctor.make_cli_app = &make_cli_app;
  add_below(group, "doctor",
            "Report mistakes in plug-ins, manifests and configuration, and what to do",
            [this](Invocation& i) { return cli::plugin_doctor(i, plugin_doctor); });
  CLI::App& check = add_below(group, "check", "Check whether a manifest or a library can be used",
                              [this](Invocation& i) { return cli::plugin_check(i, plugin_check); });
  add_required(check, "FILE", plugin_check.file, "A manifest (.toml) or a library (.so)");
}

void CommandTree::add_component(CLI::App& group) {
  group.require_subcommand(1);
  add_below(group, "list", "List the components of plug-ins",
            [](Invocation& i) { return cli::component_list(i); });
  CLI::App& show =
      add_below(group, "show", "Explain what a component does, and its parameters",
                [this](Invocation& i) { return cli::component_show(i, component_show); });
  add_required(show, "NAME", component_show.name, "A component: utils.echo, FILE.toml:NAME");
}

void CommandTree::add_resource(CLI::App& group) {
  group.require_subcommand(1);
  add_below(group, "list", "List all named resources, and where they are defined",
            [this](Invocation& i) { return cli::resource_list(i, resource_list); })
      .add_option("--fits", resource_list.fits,
                  "List only resources that meet conditions: gpu>=2,memMB<=65536")
      ->type_name("CONDITIONS")
      ->configurable(false);
  CLI::App& show =
      add_below(group, "show", "Show a named resource, and where each value comes from",
                [this](Invocation& i) { return cli::resource_show(i, resource_show); });
  add_required(show, "NAME", resource_show.name, "The name that app files use");
  CLI::App& check =
      add_below(group, "check", "Find mistakes in a file of named resources",
                [this](Invocation& i) { return cli::resource_check(i, resource_check); });
  add_required(check, "FILE", resource_check.file, "A manifest or a file for resources.d");
}

void CommandTree::add_lint(CLI::App& command) {
  on_call(command, [this](Invocation& i) { return cli::lint(i, lint); });
  command
      .add_option("FILE", lint.files,
                  "App or component files (.toml, .json), FILE:NAME for one component,\n"
                  "or - for JSON on standard input")
      ->type_name("");
  add_repeatable(command, "-s,--scheduler", lint.schedulers,
                 "Also report what this scheduler ignores or refuses (repeatable)", "SCHED");
  add_repeatable(command, "-c,--cfg,--scheduler-args", lint.cfg,
                 "Run options for these schedulers (repeatable)", "K=V")
      ->configurable(false);
  add_repeatable(command, "--allow", lint.allowed, "Hide the warnings of this rule (repeatable)",
                 "RULE");
  command.add_flag("--strict", lint.strict, "Exit with 65 also for warnings");
  command.add_flag("--rules", lint.rules, "List the rules")->configurable(false);
}

void CommandTree::add_config(CLI::App& group) {
  group.require_subcommand(1);
  config.make_cli_app = &make_cli_app;
  const auto add = [&](const char* name, const char* help, bool reads,
                       int (*function)(Invocation&, const ConfigCommand&)) -> CLI::App& {
    CLI::App* sub = group.add_subcommand(name, help);
    sub->callback([this, reads, function] {
      reads_config = reads;
      chosen = [this, function](Invocation& invocation) { return function(invocation, config); };
    });
    return *sub;
  };
  add("show", "Show all effective settings, and where they are set", kReadsConfig, config_show)
      .add_flag("--all", config.all, "Also show built-in defaults")
      ->configurable(false);
  CLI::App& explain = add("explain", "Show the value of a setting, and every place that sets it",
                          kReadsConfig, config_explain);
  add_required(explain, "KEY", config.key,
               "scheduler.NAME.OPTION, component.NAME.PARAM, cli.COMMAND.OPTION");
  add("path", "List the configuration files, highest precedence first", kReadsNoConfig,
      config_path);
  CLI::App& init = add("init", "Write a slipway.toml to fill in", kReadsNoConfig, config_init);
  init.add_option("-s,--scheduler", config.schedulers, "Write only these schedulers: A,B")
      ->type_name("SCHED")
      ->configurable(false);
  init.add_flag("--force", config.force, "Replace an existing file")->configurable(false);
  init.add_flag("--print", config.print, "Write to standard output")->configurable(false);
  CLI::App& check = add("check", "Find mistakes in a configuration file before it is used",
                        kReadsConfig, config_check);
  add_required(check, "FILE", config.file, "A configuration file in any directory");
  check.add_flag("--as-site", config.as_site, "Check it as the site's configuration file")
      ->configurable(false);
}

}  // namespace slipway::cli
