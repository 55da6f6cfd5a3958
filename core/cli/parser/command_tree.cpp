#include "core/cli/parser/command_tree.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/cli/help/help_topics.hpp"
#include "core/cli/options/subcommands.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/spec/name_rule.hpp"
#include "core/spec/other_tools.hpp"
#include "core/spec/problem.hpp"
#include "slipway/abi/base.h"
#include "slipway/error.hpp"

namespace slipway::cli {

namespace {

constexpr const char* kExamples =
    "\nExamples:\n"
    "  slipway run train.toml               run an app and show its logs\n"
    "  slipway run -d train.toml            run it in the background and print its handle\n"
    "  slipway status @last                 show the state of the newest app\n"
    "  slipway log -f @last/trainer         follow the logs of a role\n"
    "  slipway cancel @last                 cancel the newest app\n"
    "\n`slipway COMMAND --help` explains a command, `slipway help TOPIC` a topic.";

constexpr const char* kSignalExamples =
    "\nExamples:\n"
    "  slipway signal @last USR1            send SIGUSR1 to all replicas\n"
    "  slipway signal @last/trainer HUP     send SIGHUP to the replicas of a role\n"
    "  slipway signal @last/trainer/0,1 10  send signal 10 to two replicas\n";

constexpr const char* kEventsHelp = "With --json, print a document for each event when it happens";

// Whether add_run_as() and add_run_options() add `dryrun`, which submits nothing, or `run`.
constexpr bool kRun = false;
constexpr bool kDryRun = true;

/// Returns the end of the help that lists the commands: topics and examples.
std::string footer() {
  constexpr std::size_t kColumn = 28;  // the width of names in CLI11's lists, after two blanks
  std::string out = "Topics:\n";
  for (const HelpTopic& topic : help_topics()) {
    std::string name = "  " + std::string(topic.name);
    name.resize(std::max(name.size() + 1, kColumn + 2), ' ');
    out += name + std::string(topic.summary) + "\n";
  }
  return out + kExamples;
}

/// Accepts a name that parse_log_level() knows, as a validator: returns an empty text, otherwise
/// the message.
std::string check_log_level(const std::string& text) {
  try {
    parse_log_level(text);
    return {};
  } catch (const Error& error) {
    return spec::quoted(text) + " is not a log level, " + error.hint();
  }
}

/// Accepts the values that CLI11 can count for a flag, as a validator. CLI11 itself throws no error
/// of the command line for a number that is too large.
std::string check_flag_count(const std::string& text) {
  try {
    CLI::detail::to_flag_value(text);
    return {};
  } catch (const std::logic_error&) {
    return spec::quoted(text) + " is not true, false or a count";
  }
}

/// Accepts a name that can be part of handles and of directories, as a validator.
std::string check_session(const std::string& text) {
  const std::string fault = spec::name_fault(text);
  return fault.empty() ? fault : spec::quoted(text) + " cannot be a session's name: it " + fault;
}

/// Adds the argument HANDLE, which must be given.
template <class Target>
void add_handle(CLI::App& command, Target& handle, const char* help = kHandleHelp) {
  command.add_option("HANDLE", handle, help)->required()->type_name("");
}

}  // namespace

std::string check_count(const std::string& text) {
  const bool number = !text.empty() && text.size() < 10 &&
                      text.find_first_not_of("0123456789") == std::string::npos;
  return number ? std::string() : spec::quoted(text) + " is not a count";
}

std::string check_positive(const std::string& text) {
  const bool positive = check_count(text).empty() && text.find_first_not_of('0') != text.npos;
  return positive ? std::string() : spec::quoted(text) + " is not a number above 0";
}

std::string check_seconds(const std::string& text) {
  double seconds = 0;
  const bool number = CLI::detail::lexical_cast(text, seconds);
  if (number && seconds >= 0 && seconds <= 1e9) return {};
  const std::string hint = spec::hint_for_duration(text);
  return spec::quoted(text) + " is not a number of seconds" + (hint.empty() ? "" : ", " + hint);
}

std::string version_text() {
  return "slipway " SLIPWAY_VERSION " (plug-in boundary " + std::to_string(SLIPWAY_ABI_MAJOR) +
         "." + std::to_string(SLIPWAY_ABI_MINOR) + ")\n";
}

std::shared_ptr<CLI::App> make_cli_app() {
  const auto tree = std::make_shared<CommandTree>(CommandTree::Adds::kAll);
  return {tree, &tree->app};
}

CLI::Option* add_repeatable(CLI::App& command, const char* names, std::vector<std::string>& to,
                            const char* help, const char* type) {
  return command.add_option(names, to, help)
      ->type_name(type)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
}

CommandTree::CommandTree(Adds adds, const std::vector<std::string>& words) {
  struct Entry {
    const char* name;
    const char* help;
    void (CommandTree::*add)(CLI::App&);
  };
  // In the order in which help lists them.
  static constexpr Entry kCommands[] = {
      {"run", "Run an app", &CommandTree::add_run},
      {"status", "Show the state of an app and its replicas", &CommandTree::add_status},
      {"wait", "Wait until apps have ended", &CommandTree::add_wait},
      {"cancel", "Cancel apps", &CommandTree::add_cancel},
      {"signal", "Send a signal to running replicas of an app", &CommandTree::add_signal},
      {"describe", "Print the app file of an app", &CommandTree::add_describe},
      {"attach", "Return to an app: its logs, failures and exit status", &CommandTree::add_attach},
      {"rerun", "Run an app again, as it was submitted", &CommandTree::add_rerun},
      {"delete", "Delete the records and logs of finished apps", &CommandTree::add_delete},
      {"prune", "Delete finished apps and unused images", &CommandTree::add_prune},
      {"log", "Print the logs of apps", &CommandTree::add_log},
      {"events", "Print what happened to an app and its replicas", &CommandTree::add_events},
      {"list", "List apps", &CommandTree::add_list},
      {"runopts", "List the run options of schedulers", &CommandTree::add_runopts},
      {"completion", "Print the completion script of a shell", &CommandTree::add_completion},
      {"plugin", "List, inspect and check plug-ins", &CommandTree::add_plugin},
      {"component", "List and explain components", &CommandTree::add_component},
      {"resource", "List, inspect and check named resources", &CommandTree::add_resource},
      {"lint", "Find mistakes in app files and component files", &CommandTree::add_lint},
      {"config", "Show, explain and check configuration", &CommandTree::add_config},
      {"dryrun", "Print what `run` would submit", &CommandTree::add_dryrun},
      {"help", "Explain a command or a topic", &CommandTree::add_help},
  };
  app.fallthrough();
  app.require_subcommand(0, 1);
  add_globals();
  for (const Entry& entry : kCommands) {
    if (adds == Adds::kMentioned &&
        std::find(words.begin(), words.end(), entry.name) == words.end())
      continue;
    CLI::App* sub = app.add_subcommand(entry.name, entry.help);
    if (adds != Adds::kNames) (this->*entry.add)(*sub);
  }
  app.footer(footer);
  for (CLI::App* sub : subcommands_of(app)) {
    sub->footer(sub->get_footer() +
                "\nGlobal options (--json, --session, -q, ...): `slipway --help`");
  }
}

void CommandTree::on_call(CLI::App& command, Chosen function) {
  command.callback([this, function = std::move(function)] { chosen = function; });
}

void CommandTree::add_globals() {
  app.set_version_flag("-V,--version", version_text(), "Print the version");
  app.set_help_flag("-h,--help", "Print this help");
  app.add_flag("-q,--quiet", globals.quiet, "Print no messages except errors");
  app.add_flag("-v,--verbose", globals.verbose, "Print more messages; -vv prints all")
      ->check(check_flag_count)
      ->configurable(false);
  app.add_option("--log-level", globals.log_level,
                 "Print messages from this level on: trace, debug, info, warning, error")
      ->type_name("LEVEL")
      ->default_str("info")
      ->check(check_log_level);
  app.add_flag("--no-color", globals.no_color, "Print no colours (also NO_COLOR)");
  app.add_flag("--json", globals.json, "Print data and errors as JSON")->configurable(false);
  app.add_option("--config", globals.config_file, "Also read this configuration file")
      ->type_name("FILE")
      ->configurable(false);
  app.add_option("--profile", globals.profile, "Use this profile of the configuration")
      ->type_name("NAME");
  app.add_option("--session", globals.session, "Session of new apps, and of handles without one")
      ->type_name("NAME")
      ->check(check_session)
      ->capture_default_str();
  add_repeatable(app, "--plugin-path", globals.plugin_path,
                 "Look for plug-ins here first (repeatable)", "DIR|FILE")
      ->configurable(false);
  app.add_option("--plugin-timeout", globals.plugin_timeout_s,
                 "Seconds that each of several plug-ins has to answer; a needed one has six times "
                 "as long to start")
      ->type_name("S")
      ->check(check_seconds)
      ->default_str(std::to_string(kPluginTimeoutS));
  app.add_option("--timeout", globals.timeout_s, "Give up after S seconds (exit status 124)")
      ->type_name("S")
      ->check(check_seconds)
      ->configurable(false);
  app.add_flag("--no-plugins", globals.no_plugins, "Use only the built-in plug-ins");
  app.add_flag("--show-secrets", globals.show_secrets, "Print values that are redacted otherwise")
      ->configurable(false);
}

void CommandTree::add_run(CLI::App& command) { add_run_as(command, kRun); }

void CommandTree::add_dryrun(CLI::App& command) { add_run_as(command, kDryRun); }

void CommandTree::add_run_as(CLI::App& command, bool dryrun) {
  on_call(command, [this, dryrun](Invocation& invocation) {
    run.dryrun = run.dryrun || dryrun;
    return cli::run(invocation, run);
  });
  command
      .add_option("APP", run.app,
                  "An app file, a component (utils.echo, FILE.toml:NAME) and its arguments,\n"
                  "-- PROGRAM and its arguments, or - for JSON on standard input")
      ->type_name("");
  command.add_option("--replicas", run.replicas, "Replicas of the program after -- (default 1)")
      ->type_name("N")
      ->check(check_positive)
      ->configurable(false);
  CLI::Option* params =
      add_repeatable(command, "-P,--param", run.component.params,
                     "Set a parameter of the component (repeatable)", "NAME=VALUE")
          ->configurable(false);
  CLI::Option* sweep =
      command
          .add_flag("--sweep", run.sweep,
                    "Run an app for each combination of the values: -P lr=0.1,0.01 -P seed=1..5,\n"
                    "or those of [component.NAME.sweep]")
          ->configurable(false);
  command.add_option("--max-parallel", run.max_parallel, "Run at most N apps of a sweep at once")
      ->type_name("N")
      ->check(check_positive)
      ->configurable(false)
      ->needs(sweep);
  command
      .add_flag("--stdin", run.from_stdin, "Read TorchX's JSON run arguments from standard input")
      ->configurable(false)
      // The JSON has the parameters and the scheduler of one run.
      ->excludes(params)
      ->excludes(sweep)
      ->excludes(add_run_options(command, run, dryrun));
}

CLI::Option* CommandTree::add_run_options(CLI::App& command, RunCommand& run_command, bool dryrun) {
  CLI::Option* scheduler =
      command
          .add_option("-s,--scheduler", run_command.scheduler, "The scheduler that runs the app")
          ->type_name("SCHED")
          ->capture_default_str();
  add_repeatable(command, "-c,--cfg,--scheduler-args", run_command.cfg,
                 "Run options: NAME=VALUE,... (repeatable); `slipway runopts` lists them", "K=V")
      ->configurable(false);
  add_repeatable(command, "--label", run_command.labels,
                 "Give the app a label, by which other commands select it (repeatable)",
                 "KEY=VALUE")
      ->configurable(false);
  add_repeatable(command, "--set", run_command.overrides.fields,
                 "Change a field of the app: roles.w.num_replicas=4 (repeatable)", "KEY=VALUE")
      ->configurable(false);
  add_repeatable(command, "--env", run_command.overrides.env,
                 "Set a variable in every role, above the app file (repeatable)", "NAME=VALUE")
      ->configurable(false);
  add_repeatable(command, "--env-file", run_command.overrides.env_files,
                 "Set the variables of a file with lines NAME=VALUE (repeatable)", "FILE")
      ->configurable(false);
  command
      .add_option("--parent-run-id", run_command.parent_run_id,
                  "The value of TORCHX_PARENT_RUN_ID in the app's environment")
      ->type_name("ID");
  command
      .add_option("--workspace", run_command.workspace,
                  "Run the app in a copy of this directory, made now")
      ->type_name("DIR");
  command
      .add_option("--accept-ignored", run_command.accept_ignored,
                  "Do not warn that the scheduler ignores these fields, separated by commas")
      ->type_name("A,B");
  if (!dryrun) {
    command.add_flag("-n,--dryrun", run_command.dryrun,
                     "Print what would be submitted, and submit nothing");
    command.add_flag("-d,--detach", run_command.detach,
                     "Run the app in the background and print its handle");
    command.add_flag("--wait", run_command.wait, "Wait until the app has ended");
    CLI::Option* log_flag = command.add_flag("--log", run_command.log, "Show the app's logs");
    command
        .add_flag("--no-log", run_command.no_log, "Do not show the app's logs (`slipway log` does)")
        ->excludes(log_flag);
    CLI::Option* no_events = command.add_flag("--no-events", run_command.no_events, kNoEventsHelp);
    command.add_flag("--events", run_command.events, kEventsHelp)->excludes(no_events);
  }
  return scheduler;
}

void CommandTree::add_status(CLI::App& command) {
  on_call(command, [this](Invocation& i) { return cli::status(i, status); });
  add_handle(command, status.handle);
  command.add_option("--roles", status.roles, "Show only these roles, separated by commas")
      ->type_name("A,B");
}

void CommandTree::add_signal(CLI::App& command) {
  on_call(command, [this](Invocation& i) { return send_signal(i, signal); });
  add_handle(command, signal.handle, kReplicasHelp);
  command.add_option("SIG", signal.signal, "A name or a number: USR1, SIGUSR1, 10, RTMIN+3")
      ->required()
      ->type_name("");
  command.footer(kSignalExamples);
}

void CommandTree::add_describe(CLI::App& command) {
  on_call(command, [this](Invocation& i) { return cli::describe(i, describe); });
  add_handle(command, describe.handle);
  command.add_flag("--full", describe.full,
                   "Also print what the app was started with: options, versions, revision");
}

void CommandTree::add_attach(CLI::App& command) {
  on_call(command, [this](Invocation& i) { return cli::attach(i, attach); });
  add_handle(command, attach.handle);
  command.add_flag("--no-log", attach.no_log, "Do not show the app's logs");
  CLI::Option* no_events = command.add_flag("--no-events", attach.no_events, kNoEventsHelp);
  command.add_flag("--events", attach.events, kEventsHelp)->excludes(no_events);
}

void CommandTree::add_events(CLI::App& command) {
  on_call(command, [this](Invocation& i) { return cli::events(i, events); });
  command.add_option("HANDLE", events.handle, kHandleHelp)
      ->type_name("")
      ->default_str(events.handle);
  command.add_flag("-f,--follow", events.follow, "Print new events until the app has ended");
}

void CommandTree::add_rerun(CLI::App& command) {
  on_call(command, [this](Invocation& i) { return cli::rerun(i, rerun); });
  add_handle(command, rerun.app);
  rerun.scheduler.clear();  // empty: the scheduler that the app ran on
  add_run_options(command, rerun, kRun);
}

}  // namespace slipway::cli
