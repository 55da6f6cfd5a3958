// All commands and their options, as CLI11 parses them.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "core/cli/commands/commands.hpp"
#include "core/cli/completion/completion_command.hpp"
#include "core/cli/parser/site_commands.hpp"

namespace slipway::cli {

/// `slipway 1.2.3 (plug-in boundary 1.0)` and a newline.
std::string version_text();

/// The parser with the storage that its options write to.
struct CommandTree {
  /// All commands.
  CommandTree();
  /// Only the commands whose names are among `words`, which can call no other. Measured: all
  /// commands take 0.16 to 0.2 ms of processor time to make, one takes 0.02 ms, and the whole of
  /// `slipway --version` and `slipway lint` takes 1 to 1.5 ms.
  explicit CommandTree(const std::vector<std::string>& words);
  CommandTree(const CommandTree&) = delete;
  CommandTree& operator=(const CommandTree&) = delete;

  CLI::App app{
      "Slipway runs apps: roles of replicated processes, on this machine or on any scheduler.",
      "slipway"};
  GlobalOptions globals;
  std::function<int(Invocation&)> chosen;  ///< what the parsed words call; refers to the tree
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
  ComponentShowCommand component_show;
  CompletionCommand completion;
  ConfigCommand config;
  SiteCommands site;

 private:
  using Chosen = std::function<int(Invocation&)>;

  void add_commands(const std::vector<std::string>* words);
  void add_globals();
  CLI::App* command(const char* name, const char* help, Chosen function);
  void add_run();
  void add_dryrun();
  void add_run_as(const char* name, const char* help, bool dryrun);
  /// Returns the option of the scheduler.
  CLI::Option* add_how_to_run(CLI::App* sub, RunCommand& how, bool dryrun);
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
  void add_runopts();
  void add_completion();
  void add_plugin();
  void add_component();
  void add_resource();
  void add_lint();
  void add_config();
};

}  // namespace slipway::cli
