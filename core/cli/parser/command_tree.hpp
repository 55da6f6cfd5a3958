// All commands and options, with their help, as CLI11 parses them.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/cli/commands/commands.hpp"

namespace slipway::cli {

/// Returns `slipway 1.2.3 (plug-in boundary 1.0)` and a newline.
std::string version_text();

/// A parser, with the variables that its options write to.
struct CommandTree {
  /// The content of a tree. Adding all commands with their options takes 0.16 to 0.2 ms of
  /// processor time, adding one command 0.02 ms; `slipway --version` takes 1 to 1.5 ms in total.
  enum class Adds {
    kAll,
    kNames,      ///< all commands without their options: enough for the help that lists them
    kMentioned,  ///< only commands whose names are among the words: no other one can be called
  };

  explicit CommandTree(Adds adds, const std::vector<std::string>& words = {});
  CommandTree(const CommandTree&) = delete;
  CommandTree& operator=(const CommandTree&) = delete;

  CLI::App app{
      "Slipway runs apps, groups of programs that belong together, on this machine or on a "
      "cluster.",
      "slipway"};
  GlobalOptions globals;
  /// Runs the command that the parsed words call. Refers to the tree.
  std::function<int(Invocation&)> chosen;
  bool reads_config = true;  ///< whether the chosen command needs the configuration

  // The options of the commands, which the parser sets.
  RunCommand run;
  RunCommand rerun;
  StatusCommand status;
  WaitCommand wait;
  LogCommand log;
  ListCommand list;
  CancelCommand cancel;
  SignalCommand signal;
  AttachCommand attach;
  EventsCommand events;
  DeleteCommand delete_apps;
  PruneCommand prune;
  DescribeCommand describe;
  RunOptsCommand run_opts;
  LintCommand lint;
  HelpCommand help_command;
  CompletionCommand completion;
  ConfigCommand config;
  ComponentShowCommand component_show;
  PluginShowCommand plugin_show;
  PluginCheckCommand plugin_check;
  PluginDoctorCommand plugin_doctor;
  ResourceListCommand resource_list;
  ResourceShowCommand resource_show;
  ResourceCheckCommand resource_check;

 private:
  using Chosen = std::function<int(Invocation&)>;

  void add_globals();
  /// Makes `function` the chosen one if the parsed words call `command`.
  void on_call(CLI::App& command, Chosen function);
  void add_run(CLI::App& command);
  void add_dryrun(CLI::App& command);
  /// Adds `run` or, with `dryrun`, the command that does the same as `run --dryrun`.
  void add_run_as(CLI::App& command, bool dryrun);
  /// Adds the options that `run` and `rerun` share; with `dryrun`, only those of a dry run. Returns
  /// the option of the scheduler.
  CLI::Option* add_run_options(CLI::App& command, RunCommand& run_command, bool dryrun);
  void add_status(CLI::App& command);
  void add_describe(CLI::App& command);
  void add_signal(CLI::App& command);
  void add_attach(CLI::App& command);
  void add_events(CLI::App& command);
  void add_rerun(CLI::App& command);

  // in selecting_commands.cpp
  void add_wait(CLI::App& command);
  void add_cancel(CLI::App& command);
  void add_delete(CLI::App& command);
  void add_log(CLI::App& command);
  void add_prune(CLI::App& command);
  void add_list(CLI::App& command);

  // in site_commands.cpp
  /// Adds a command below a group such as `plugin`.
  CLI::App& add_below(CLI::App& group, const char* name, const char* help, Chosen function);
  void add_runopts(CLI::App& command);
  void add_completion(CLI::App& command);
  void add_help(CLI::App& command);
  void add_plugin(CLI::App& command);
  void add_component(CLI::App& command);
  void add_resource(CLI::App& command);
  void add_lint(CLI::App& command);
  void add_config(CLI::App& command);
};

/// Returns a tree of all commands, for code that inspects commands and options. Parsing with it
/// runs no command.
std::shared_ptr<CLI::App> make_cli_app();

inline constexpr const char* kHandleHelp = "A handle, an app id, a unique prefix of one, or @last";

inline constexpr const char* kNoEventsHelp =
    "Print no line when a replica fails, is retried or waits (`slipway events` prints events)";
inline constexpr const char* kReplicasHelp =
    "APP, APP/ROLE,ROLE2 or APP/ROLE/0,2-4, with a handle or id for APP";

/// The hint for the options -t, -n and --lines, which `log` of TorchX and other tools have, and for
/// a wrong number after --tail.
inline constexpr const char* kTailHint =
    "-f follows an app, and --tail N starts with the last N lines";

/// Accepts a whole number of at most nine digits, which fits into 32 bits, as a validator: returns
/// an empty text, otherwise the message.
std::string check_count(const std::string& text);

/// Accepts a count above 0, as a validator. CLI11's own validator would print its name in help
/// texts.
std::string check_positive(const std::string& text);

/// Accepts a number of seconds from 0 to 1e9, whose nanoseconds fit into 64 bits, as a validator:
/// returns an empty text, otherwise the message. The message of CLI11's own range check has numbers
/// with six decimals.
std::string check_seconds(const std::string& text);

/// Adds an option that may be given several times, each time with one value.
CLI::Option* add_repeatable(CLI::App& command, const char* names, std::vector<std::string>& to,
                            const char* help, const char* type);

}  // namespace slipway::cli
