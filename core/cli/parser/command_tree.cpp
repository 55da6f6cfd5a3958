#include "core/cli/parser/command_tree.hpp"

#include <algorithm>
#include <utility>

#include "core/cli/options/option_settings.hpp"
#include "core/cli/options/subcommands.hpp"
#include "core/cli/parser/argument_checks.hpp"
#include "slipway/abi/base.h"

namespace slipway::cli {

namespace {

constexpr const char* kFooter =
    "\nExamples:\n"
    "  slipway run train.toml               run an app here, its logs on the terminal\n"
    "  slipway run -d train.toml            leave it running and print its handle\n"
    "  slipway status @last                 how the newest app is doing\n"
    "  slipway log -f @last/trainer         follow the logs of a role\n"
    "  slipway cancel @last                 end it\n"
    "\n`slipway COMMAND --help` explains a command.";

constexpr const char* kSignalExamples =
    "\nExamples:\n"
    "  slipway signal @last USR1            every replica writes a checkpoint\n"
    "  slipway signal @last/trainer HUP     those of one role\n"
    "  slipway signal @last/trainer/0,1 10  two of them\n";

constexpr const char* kHandleHelp = "A handle, an app id or the start of one, or @last";

}  // namespace

std::string version_text() {
  return "slipway " SLIPWAY_VERSION " (plug-in boundary " + std::to_string(SLIPWAY_ABI_MAJOR) +
         "." + std::to_string(SLIPWAY_ABI_MINOR) + ")\n";
}

CommandTree::CommandTree() { add_commands(nullptr); }

CommandTree::CommandTree(const std::vector<std::string>& words) { add_commands(&words); }

void CommandTree::add_commands(const std::vector<std::string>* words) {
  struct Entry {
    const char* name;
    void (CommandTree::*add)();
  };
  // in the order in which help lists them
  static constexpr Entry kCommands[] = {
      {"run", &CommandTree::add_run},
      {"status", &CommandTree::add_status},
      {"wait", &CommandTree::add_wait},
      {"cancel", &CommandTree::add_cancel},
      {"signal", &CommandTree::add_signal},
      {"describe", &CommandTree::add_describe},
      {"attach", &CommandTree::add_attach},
      {"rerun", &CommandTree::add_rerun},
      {"delete", &CommandTree::add_delete},
      {"log", &CommandTree::add_log},
      {"list", &CommandTree::add_list},
      {"runopts", &CommandTree::add_runopts},
      {"completion", &CommandTree::add_completion},
      {"plugin", &CommandTree::add_plugin},
      {"component", &CommandTree::add_component},
      {"resource", &CommandTree::add_resource},
      {"lint", &CommandTree::add_lint},
      {"config", &CommandTree::add_config},
      {"dryrun", &CommandTree::add_dryrun},
  };
  app.fallthrough();
  app.require_subcommand(0, 1);
  add_globals();
  for (const Entry& entry : kCommands) {
    if (words == nullptr || std::find(words->begin(), words->end(), entry.name) != words->end())
      (this->*entry.add)();
  }
  app.footer(kFooter);
  for (CLI::App* sub : subcommands_of(app)) {
    sub->footer(sub->get_footer() +
                "\nGlobal options (--json, --session, -q, ...): `slipway --help`");
  }
}

CLI::App* CommandTree::command(const char* name, const char* help, Chosen function) {
  CLI::App* sub = app.add_subcommand(name, help);
  sub->callback([this, function = std::move(function)] { chosen = function; });
  return sub;
}

void CommandTree::add_globals() {
  app.set_version_flag("-V,--version", version_text(), "Show the version");
  app.set_help_flag("-h,--help", "Show this help");
  app.add_flag("-q,--quiet", globals.quiet, "Say nothing but errors");
  app.add_flag("-v,--verbose", globals.verbose, "Say more; twice for even more")
      ->configurable(false);
  app.add_option("--log-level", globals.log_level, "trace, debug, info, warning or error")
      ->type_name("LEVEL")
      ->check(check_log_level);
  app.add_flag("--no-color", globals.no_color, "No colours (also NO_COLOR)");
  app.add_flag("--json", globals.json, "Data as JSON, errors too")->configurable(false);
  app.add_option("--config", globals.config_file, "Read this configuration file, too")
      ->type_name("FILE")
      ->configurable(false);
  app.add_option("--profile", globals.profile, "Use this profile of the configuration")
      ->type_name("NAME");
  app.add_option("--session", globals.session, "Session of the apps that are started")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option("--plugin-path", globals.plugin_path, "Look for plug-ins here first (repeatable)")
      ->type_name("DIR|FILE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false)
      ->configurable(false);
  app.add_option("--plugin-timeout", globals.plugin_timeout_s,
                 "Seconds that a plug-in has to answer when several are asked")
      ->type_name("S")
      ->check(check_seconds)
      ->capture_default_str();
  app.add_flag("--no-plugins", globals.no_plugins, "Use the built-in plug-ins only");
  app.add_flag("--show-secrets", globals.show_secrets, "Show values that are redacted otherwise")
      ->configurable(false);
}

void CommandTree::add_run() { add_run_as("run", "Run an app", false); }

void CommandTree::add_dryrun() { add_run_as("dryrun", "What `run` would submit", true); }

void CommandTree::add_run_as(const char* name, const char* help, bool dryrun) {
  CLI::App* sub = command(name, help, [this, dryrun](Invocation& invocation) {
    run.dryrun = run.dryrun || dryrun;
    return cli::run(invocation, run);
  });
  sub->add_option("APP", run.app,
                  "An app file, a component (utils.echo, FILE.toml:NAME) with its own arguments, "
                  "or - for JSON")
      ->type_name("");
  CLI::Option* params = sub->add_option("-P,--param", run.component.params,
                                        "A parameter of the component in a file (repeatable)")
                            ->type_name("NAME=VALUE")
                            ->expected(1)
                            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
                            ->allow_extra_args(false)
                            ->configurable(false);
  sub->add_flag("--stdin", run.from_stdin, "Run what TorchX's JSON run arguments on stdin say")
      ->configurable(false)
      ->excludes(params)
      ->excludes(add_how_to_run(sub, run, dryrun));
}

CLI::Option* CommandTree::add_how_to_run(CLI::App* sub, RunCommand& how, bool dryrun) {
  CLI::Option* scheduler = sub->add_option("-s,--scheduler", how.scheduler, "Where to run it")
                               ->type_name("SCHED")
                               ->capture_default_str();
  sub->add_option("-c,--cfg,--scheduler-args", how.cfg,
                  "Run options: NAME=VALUE,... (repeatable); see `slipway runopts`")
      ->type_name("K=V")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false)
      ->configurable(false);
  sub->add_option("--parent-run-id", how.parent_run_id, "Recorded as TORCHX_PARENT_RUN_ID")
      ->type_name("ID");
  sub->add_option("--workspace", how.workspace, "Run in a copy of this directory, made now")
      ->type_name("DIR");
  if (!dryrun) {
    sub->add_flag("-n,--dryrun", how.dryrun, "Show what would be submitted and do nothing");
    sub->add_flag("-d,--detach", how.detach, "Leave the app running and print its handle");
    sub->add_flag("--wait", how.wait, "Wait for the app's end");
    CLI::Option* log_flag = sub->add_flag("--log", how.log, "Show the app's logs");
    sub->add_flag("--no-log", how.no_log, "Do not show them (they are still written)")
        ->excludes(log_flag);
  }
  return scheduler;
}

void CommandTree::add_status() {
  CLI::App* sub = command("status", "How an app is doing",
                          [this](Invocation& i) { return cli::status(i, status); });
  sub->add_option("HANDLE", status.handle, kHandleHelp)->required()->type_name("");
  sub->add_option("--roles", status.roles, "Only these roles, separated by commas")
      ->type_name("A,B");
}

void CommandTree::add_wait() {
  CLI::App* sub = command("wait", "Wait until apps have ended",
                          [this](Invocation& i) { return cli::wait(i, wait); });
  sub->add_option("HANDLE", wait.handles, kHandleHelp)->required()->type_name("");
  sub->add_option("--timeout", wait.timeout_s, "Give up after so many seconds (exit status 124)")
      ->type_name("S")
      ->check(check_seconds);
  sub->add_option("--for", wait.until, "Wait for this state instead of the end")
      ->type_name("STATE");
  sub->add_flag("--any", wait.any, "One of the apps is enough");
}

void CommandTree::add_cancel() {
  CLI::App* sub =
      command("cancel", "End apps", [this](Invocation& i) { return cli::cancel(i, cancel); });
  sub->add_option("HANDLE", cancel.handles, kHandleHelp)->required()->type_name("");
  CLI::Option* grace =
      sub->add_option("--grace", cancel.grace_s, "Seconds between asking and killing")
          ->type_name("S")
          ->check(check_seconds);
  sub->add_flag("--now", cancel.now, "Kill at once")->excludes(grace);
}

void CommandTree::add_signal() {
  CLI::App* sub = command("signal", "Send a signal to the replicas of an app that run",
                          [this](Invocation& i) { return send_signal(i, signal); });
  sub->add_option("HANDLE", signal.handle, "APP, APP/ROLE or APP/ROLE/0,1")
      ->required()
      ->type_name("HANDLE");
  sub->add_option("SIG", signal.signal, "A name or a number: USR1, SIGUSR1, 10, RTMIN+3")
      ->required()
      ->type_name("");
  sub->footer(kSignalExamples);
}

void CommandTree::add_describe() {
  CLI::App* sub = command("describe", "The app file that an app was started from",
                          [this](Invocation& i) { return cli::describe(i, describe); });
  sub->add_option("HANDLE", describe.handle, kHandleHelp)->required()->type_name("");
}

void CommandTree::add_attach() {
  CLI::App* sub = command("attach", "Stay with an app as if it had been run here",
                          [this](Invocation& i) { return cli::attach(i, attach); });
  sub->add_option("HANDLE", attach.handle, kHandleHelp)->required()->type_name("");
  sub->add_flag("--no-log", attach.no_log, "Do not show its logs");
}

void CommandTree::add_rerun() {
  CLI::App* sub = command("rerun", "Run an app once more, as it was submitted",
                          [this](Invocation& i) { return cli::rerun(i, rerun); });
  sub->add_option("HANDLE", rerun.app, kHandleHelp)->required()->type_name("");
  rerun.scheduler.clear();  // the one that the app ran on
  add_how_to_run(sub, rerun, false);
}

void CommandTree::add_delete() {
  CLI::App* sub = command("delete", "Delete the records and logs of finished apps",
                          [this](Invocation& i) { return cli::delete_apps(i, delete_apps); });
  sub->add_option("HANDLE", delete_apps.handles, kHandleHelp)->required()->type_name("");
  sub->add_flag("--force", delete_apps.force, "Kill what still runs, and delete it, too");
}

void CommandTree::add_log() {
  CLI::App* sub =
      command("log", "The logs of an app", [this](Invocation& i) { return cli::log(i, log); });
  sub->add_option("HANDLE", log.handle, "APP, APP/ROLE or APP/ROLE/0,1")
      ->required()
      ->type_name("HANDLE");
  sub->add_flag("-f,--follow", log.follow, "Go on until the app has ended");
  sub->add_option("--tail", log.tail, "Of what is there, only so many last lines of each replica")
      ->type_name("N")
      ->check(check_count);
  sub->add_option("--regex", log.regex, "Only lines in which this regular expression is found")
      ->type_name("RE");
  sub->add_option("--since", log.since, "Only lines from then on: RFC 3339, 10m, 2h, @SECONDS")
      ->type_name("T");
  sub->add_option("--until", log.until, "Only lines up to then")->type_name("T");
  sub->add_option("--stream", log.stream, "combined, stdout or stderr")
      ->type_name("NAME")
      ->capture_default_str();
  sub->add_flag("--timestamps", log.timestamps,
                "The time in front of each line, where it is known");
  sub->add_flag("--no-prefix", log.no_prefix, "No ROLE/REPLICA in front of lines");
}

void CommandTree::add_list() {
  CLI::App* sub = command("list", "The apps that there are",
                          [this](Invocation& i) { return cli::list(i, list); });
  sub->add_option("-s,--scheduler", list.scheduler, "Only this scheduler's")->type_name("SCHED");
  sub->add_flag("--all", list.all, "The finished ones, too");
  sub->add_option("--state", list.state, "Only those in this state")->type_name("STATE");
}

void CommandTree::add_runopts() {
  CLI::App* sub = command("runopts", "The run options of schedulers",
                          [this](Invocation& i) { return cli::run_opts(i, run_opts); });
  sub->add_option("SCHED", run_opts.scheduler, "Only this one's")->type_name("");
}

void CommandTree::add_completion() {
  CLI::App* sub = app.add_subcommand("completion", "What a shell loads to complete your words");
  sub->callback([this] {
    reads_config = false;
    chosen = [this](Invocation& i) { return cli::completion(i, completion); };
  });
  sub->add_option("SHELL", completion.shell, "bash, zsh or fish")->required()->type_name("");
}

void CommandTree::add_plugin() {
  CLI::App* sub = app.add_subcommand("plugin", "The plug-ins that there are");
  sub->require_subcommand(1);
  sub->add_subcommand("list", "All plug-ins: what they provide and where they are from")
      ->callback([this] { chosen = [](Invocation& i) { return cli::plugin_list(i); }; });
  add_plugin_commands(*sub, site, chosen);
}

void CommandTree::add_component() {
  CLI::App* sub = app.add_subcommand("component", "The components that there are");
  sub->require_subcommand(1);
  sub->add_subcommand("list", "All components of plug-ins")->callback([this] {
    chosen = [](Invocation& i) { return cli::component_list(i); };
  });
  sub = sub->add_subcommand("show", "What a component does, and its parameters");
  sub->add_option("NAME", component_show.name, "A component: utils.echo, FILE.toml:NAME")
      ->required()
      ->type_name("");
  sub->callback([this] {
    chosen = [this](Invocation& i) { return cli::component_show(i, component_show); };
  });
}

void CommandTree::add_resource() { add_resource_commands(app, site, chosen); }

void CommandTree::add_lint() {
  CLI::App* sub = command("lint", "What is wrong with app and component files, and what will be",
                          [this](Invocation& i) { return cli::lint(i, lint); });
  sub->add_option("FILE", lint.files,
                  "App or component files (.toml, .json), FILE:NAME for one component, or - for "
                  "JSON on standard input")
      ->type_name("");
  const auto repeatable = [&](const char* name, std::vector<std::string>& to, const char* help,
                              const char* type) {
    sub->add_option(name, to, help)
        ->type_name(type)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
  };
  repeatable("-s,--scheduler", lint.schedulers,
             "Ask this scheduler, too, what it ignores or refuses (repeatable)", "SCHED");
  repeatable("-c,--cfg,--scheduler-args", lint.cfg, "Run options to ask it with (repeatable)",
             "K=V");
  repeatable("--allow", lint.allowed, "Say nothing of this rule's warnings (repeatable)", "RULE");
  sub->add_flag("--strict", lint.strict, "Exit with 65 for warnings, too");
  sub->add_flag("--rules", lint.rules, "List the rules");
}

void CommandTree::add_config() {
  CLI::App* group = app.add_subcommand("config", "What is set, where, and what for");
  group->require_subcommand(1);
  const auto add = [&](const char* name, const char* help, bool reads,
                       int (*function)(Invocation&, const ConfigCommand&)) {
    CLI::App* sub = group->add_subcommand(name, help);
    sub->callback([this, reads, function] {
      reads_config = reads;
      chosen = [this, function](Invocation& invocation) {
        config.options = configurable_options(CommandTree().app);
        return function(invocation, config);
      };
    });
    return sub;
  };
  add("show", "All settings that are in force, and where they are from", true, config_show)
      ->add_flag("--all", config.all, "Built-in defaults, too")
      ->configurable(false);
  add("explain", "One setting: its value, and every place that sets it", true, config_explain)
      ->add_option("KEY", config.key,
                   "scheduler.NAME.OPTION, component.NAME.PARAM, cli.COMMAND.OPTION")
      ->required()
      ->type_name("");
  add("path", "The files that are looked for, highest precedence first", false, config_path);
  CLI::App* init = add("init", "Write a slipway.toml to fill in", false, config_init);
  init->add_option("-s,--scheduler", config.schedulers, "Only for these schedulers, A,B")
      ->type_name("SCHED")
      ->configurable(false);
  init->add_flag("--force", config.force, "Replace the file that is there")->configurable(false);
  init->add_flag("--print", config.print, "Write it to standard output")->configurable(false);
  CLI::App* check =
      add("check", "Find mistakes in a configuration file before it is used", true, config_check);
  check->add_option("FILE", config.file, "A configuration file, wherever it lies")
      ->required()
      ->type_name("");
  check->add_flag("--as-site", config.as_site, "Read it as the site's own configuration")
      ->configurable(false);
}

}  // namespace slipway::cli
