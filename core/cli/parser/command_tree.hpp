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
  /// Adds all commands.
  CommandTree();
  /// Adds only commands whose names are among `words`, which cannot call another one. Measured: all
  /// commands take 0.16 to 0.2 ms of processor time to add, one takes 0.02 ms, and the whole of
  /// `slipway --version` and `slipway lint` takes 1 to 1.5 ms.
  explicit CommandTree(const std::vector<std::string>& words);
  CommandTree(const CommandTree&) = delete;
  CommandTree& operator=(const CommandTree&) = delete;

  CLI::App app{
      "Slipway runs apps, groups of programs that belong together, on this machine or on a "
      "cluster.",
      "slipway"};
  GlobalOptions globals;
  /// Runs the command that the parsed words call. Refers to the tree.
  std::function<int(Invocation&)> chosen;
  bool reads_config = true;

  RunCommand run;
  RunCommand rerun;
  StatusCommand status;
  WaitCommand wait;
  LogCommand log;
  ListCommand list;
  CancelCommand cancel;
  SignalCommand signal;
  AttachCommand attach;
  DeleteCommand delete_apps;
  DescribeCommand describe;
  RunOptsCommand run_opts;
  LintCommand lint;
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

  void add_commands(const std::vector<std::string>* words);
  void add_globals();
  CLI::App* command(const char* name, const char* help, Chosen function);
  void add_run();
  void add_dryrun();
  void add_run_as(const char* name, const char* help, bool dryrun);
  /// Adds the options that `run` and `rerun` share. Returns the option of the scheduler.
  CLI::Option* add_run_options(CLI::App* sub, RunCommand& run_command, bool dryrun);
  void add_status();
  void add_wait();
  void add_cancel();
  void add_describe();
  void add_signal();
  void add_attach();
  void add_rerun();
  void add_delete();
  void add_log();
  void add_list();

  // in site_commands.cpp
  void add_runopts();
  void add_completion();
  void add_plugin();
  void add_component();
  void add_resource();
  void add_lint();
  void add_config();
};

/// Returns a tree of all commands, for code that inspects commands and options. Parsing with it
/// runs no command.
std::shared_ptr<CLI::App> make_command_tree();

/// Adds an option that may be given several times, each time with one value.
CLI::Option* add_repeatable(CLI::App& command, const char* names, std::vector<std::string>& to,
                            const char* help, const char* type);

}  // namespace slipway::cli
