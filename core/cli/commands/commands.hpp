// The commands: each has its options as a struct, filled in by the parser, and a function that runs
// it. The functions return the exit status, write data to standard output and talk to standard
// error; they throw Error for what fails.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/cli/apps/component_source.hpp"
#include "core/cli/invocation/invocation.hpp"
#include "core/cli/options/configurable_option.hpp"

namespace slipway::cli {

struct RunCommand {
  std::string app;
  ComponentGiven component;  ///< when the app is one
  bool from_stdin = false;   ///< what to run is on standard input, see stdin_request.hpp
  std::string scheduler = kDefaultScheduler;
  Dict<Value> cfg_values;  ///< typed run options; `cfg` wins over them
  std::vector<std::string> cfg;
  std::string parent_run_id;
  std::string workspace;  ///< empty: none
  bool dryrun = false;
  bool detach = false;
  bool wait = false;
  bool log = false;
  bool no_log = false;
};
int run(Invocation& invocation, const RunCommand& command);
/// What `run` does with the app once it is read; `command.app` is not looked at.
int run_app(Invocation& invocation, AppDef app, const RunCommand& command);
/// `command.app` is the handle of the app; an empty scheduler means that of the handle.
int rerun(Invocation& invocation, const RunCommand& command);

struct StatusCommand {
  std::string handle;
  std::string roles;
};
int status(Invocation& invocation, const StatusCommand& command);

struct WaitCommand {
  std::vector<std::string> handles;
  std::optional<double> timeout_s;
  std::string until;
  bool any = false;
};
int wait(Invocation& invocation, const WaitCommand& command);

struct LogCommand {
  std::string handle;
  bool follow = false;
  std::optional<std::size_t> tail;
  std::string regex;
  std::string since;
  std::string until;
  std::string stream = "combined";
  bool timestamps = false;
  bool no_prefix = false;
};
int log(Invocation& invocation, const LogCommand& command);

struct ListCommand {
  std::string scheduler;
  bool all = false;
  std::string state;
};
int list(Invocation& invocation, const ListCommand& command);

struct CancelCommand {
  std::vector<std::string> handles;
  std::optional<double> grace_s;
  bool now = false;
};
int cancel(Invocation& invocation, const CancelCommand& command);

struct SignalCommand {
  std::string handle;
  std::string signal;
};
int send_signal(Invocation& invocation, const SignalCommand& command);

struct AttachCommand {
  std::string handle;
  bool no_log = false;
};
int attach(Invocation& invocation, const AttachCommand& command);

struct DeleteCommand {
  std::vector<std::string> handles;
  bool force = false;
};
int delete_apps(Invocation& invocation, const DeleteCommand& command);

struct DescribeCommand {
  std::string handle;
};
int describe(Invocation& invocation, const DescribeCommand& command);

struct RunOptsCommand {
  std::string scheduler;
};
int run_opts(Invocation& invocation, const RunOptsCommand& command);

struct LintCommand {
  std::vector<std::string> files;
  std::vector<std::string> schedulers;
  std::vector<std::string> cfg;
  std::vector<std::string> allowed;
  bool strict = false;
  bool rules = false;
};
int lint(Invocation& invocation, const LintCommand& command);
struct ConfigCommand {
  bool all = false;
  std::string key;
  std::string schedulers;
  bool force = false;
  bool print = false;
  std::string file;                         ///< of `check`
  bool as_site = false;                     ///< `check` takes it for the site's file
  std::vector<ConfigurableOption> options;  ///< what files may set for commands
};
int config_show(Invocation& invocation, const ConfigCommand& command);
int config_explain(Invocation& invocation, const ConfigCommand& command);
int config_path(Invocation& invocation, const ConfigCommand& command);
int config_init(Invocation& invocation, const ConfigCommand& command);
int config_check(Invocation& invocation, const ConfigCommand& command);

int plugin_list(Invocation& invocation);

int component_list(Invocation& invocation);

struct ComponentShowCommand {
  std::string name;
};
int component_show(Invocation& invocation, const ComponentShowCommand& command);

}  // namespace slipway::cli
