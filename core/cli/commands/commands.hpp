// The commands: for each command a struct with its options, which the parser fills in, and a
// function that runs it. A field without a comment is named after its option or argument, whose
// help text (parser/) explains it. Each function writes data to standard output and messages to
// standard error, returns the exit status, and throws Error for failures.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/cli/apps/app_options.hpp"
#include "core/cli/apps/app_overrides.hpp"
#include "core/cli/apps/app_selection.hpp"
#include "core/cli/apps/app_source.hpp"
#include "core/cli/invocation/invocation.hpp"
#include "core/cli/options/cli11_names.hpp"
#include "slipway/run_record.hpp"

namespace slipway::cli {

/// Constructs a tree of all commands and options, for commands that inspect options.
using MakeCliApp = std::function<std::shared_ptr<CLI::App>()>;

struct RunCommand {
  std::string app;
  ComponentArguments component;             ///< used when the app is a component
  bool may_be_program = false;              ///< `app` came after `--`; a component of its name wins
  std::optional<std::int32_t> replicas;     ///< number of replicas of a program after `--`
  bool from_stdin = false;                  ///< the app and its options are on standard input
  bool sweep = false;                       ///< the parameters have several values (sweep.hpp)
  std::optional<std::size_t> max_parallel;  ///< largest number of apps of a sweep that run at once
  std::string scheduler = kDefaultScheduler;
  Dict<Value> cfg_values;  ///< typed run options; `cfg` overrides them
  /// For `rerun`: the record of the run that this one repeats.
  std::optional<RunRecord> repeated;
  std::vector<std::string> cfg;
  std::string cfg_directory;  ///< where relative paths in `cfg` start; empty: as they are
  AppOverrides overrides;
  std::vector<std::string> labels;  ///< KEY=VALUE
  std::string parent_run_id;
  std::string workspace;  ///< empty: none
  bool dryrun = false;
  bool detach = false;
  /// The app is a process of Slipway: run options of the configuration and rules of the site, which
  /// are about users' apps, do not hold for it.
  bool is_own_app = false;
  bool wait = false;
  bool log = false;
  bool no_log = false;
  bool no_events = false;
  bool events = false;
  std::string accept_ignored;  ///< ignored fields to accept without a warning, separated by commas
};
int run(Invocation& invocation, const RunCommand& command);
/// Submits the app, or prints its dry run, and follows it as the options say.
int run_app(Invocation& invocation, AppDef app, const AppOrigin& origin, const RunCommand& command);
/// Runs a recorded app again. `command.app` is the handle of the app; an empty scheduler means the
/// scheduler of the handle.
int rerun(Invocation& invocation, const RunCommand& command);

struct StatusCommand {
  std::string handle;
  std::string roles;
};
int status(Invocation& invocation, const StatusCommand& command);

struct WaitCommand {
  AppSelectors apps;
  std::optional<double> timeout_s;
  std::string until;  ///< the state that --for names; empty: waits for the end
  bool any = false;
};
int wait(Invocation& invocation, const WaitCommand& command);

struct LogCommand {
  AppSelectors apps;
  bool follow = false;
  std::optional<std::size_t> attempt;  ///< from 1 on
  std::optional<std::size_t> tail;
  std::string regex;
  std::string since;
  std::string until;
  std::string stream = "combined";
  bool timestamps = false;
  bool no_prefix = false;
  bool merge = false;
  bool no_events = false;
};
int log(Invocation& invocation, const LogCommand& command);

struct ListCommand {
  AppSelectors apps;
  std::int64_t limit = 0;  ///< 0: no limit
  bool full = false;       ///< query the details of all apps, also of those on clusters
  std::string sweep;       ///< the id or handle of a sweep, to list only its apps, in any state
  bool table = false;      ///< print a column for each label, and what the apps used
};
int list(Invocation& invocation, const ListCommand& command);

struct CancelCommand {
  AppSelectors apps;
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
  bool no_events = false;
  bool events = false;
};
int attach(Invocation& invocation, const AttachCommand& command);

struct EventsCommand {
  std::string handle = "@last";
  bool follow = false;
};
int events(Invocation& invocation, const EventsCommand& command);

struct DeleteCommand {
  AppSelectors apps;
  bool force = false;
};
int delete_apps(Invocation& invocation, const DeleteCommand& command);

struct PruneCommand {
  AppSelectors apps;
  std::string larger;  ///< a size such as 1GiB, or empty
  /// Prune only cached images: all, or those that `before` and `larger` select.
  bool images = false;
  bool yes = false;  ///< delete; otherwise only print what would be deleted
};
int prune(Invocation& invocation, const PruneCommand& command);

struct DescribeCommand {
  std::string handle;
  bool full = false;  ///< print also how the app was started
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
  bool all = false;        ///< of `show`
  std::string key;         ///< of `explain`
  std::string schedulers;  ///< of `init`, separated by commas; empty: all
  bool force = false;      ///< of `init`
  bool print = false;      ///< of `init`
  std::string file;        ///< of `check`
  bool as_site = false;    ///< whether `check` treats the file as the site's file
  MakeCliApp make_cli_app;
};
int config_show(Invocation& invocation, const ConfigCommand& command);
int config_explain(Invocation& invocation, const ConfigCommand& command);
int config_path(Invocation& invocation, const ConfigCommand& command);
int config_init(Invocation& invocation, const ConfigCommand& command);
int config_check(Invocation& invocation, const ConfigCommand& command);

struct HelpCommand {
  std::vector<std::string> words;  ///< a command or a topic; empty: lists all commands and topics
  MakeCliApp make_cli_app;
};
int help(Invocation& invocation, const HelpCommand& command);

struct CompletionCommand {
  std::string shell;
};
int completion(Invocation& invocation, const CompletionCommand& command);

struct ComponentShowCommand {
  std::string name;
};
int component_show(Invocation& invocation, const ComponentShowCommand& command);
int component_list(Invocation& invocation);

struct ResourceListCommand {
  std::optional<std::string> fits;  ///< conditions such as `gpu>=2,memMB<=65536`
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
int plugin_list(Invocation& invocation);

struct PluginCheckCommand {
  std::string file;  ///< a manifest or a library
};
int plugin_check(Invocation& invocation, const PluginCheckCommand& command);

struct PluginDoctorCommand {
  MakeCliApp make_cli_app;
};
int plugin_doctor(Invocation& invocation, const PluginDoctorCommand& command);

}  // namespace slipway::cli
