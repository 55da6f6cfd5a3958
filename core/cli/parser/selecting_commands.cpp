// The commands of CommandTree that act on several apps and have selectors.
#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/parser/command_tree.hpp"
#include "core/spec/problem.hpp"

namespace slipway::cli {

namespace {

/// Whether configuration files may set selectors. A selector adds apps to those that the command
/// line names, so a file must not set those of a command that takes handles.
enum class InFiles { kAllowed, kNot };

/// Returns the message about a text that an option refused with `error`, for a validator.
std::string refusal(const std::string& text, const char* what, const Error& error) {
  return spec::quoted(text) + " is not " + what + ", " + error.hint();
}

/// Accepts the name of a state, as a validator: returns an empty text, otherwise the message. Also
/// accepts an empty text, which in a configuration file means that no state is set.
std::string check_state(const std::string& text) {
  try {
    if (!text.empty()) parse_state("", text);
    return {};
  } catch (const Error& error) {
    return refusal(text, "a state", error);
  }
}

/// Accepts the name of a stream, as a validator.
std::string check_stream(const std::string& text) {
  try {
    parse_stream(text);
    return {};
  } catch (const Error& error) {
    return refusal(text, "a stream", error);
  }
}

/// Adds the selectors that all commands for several apps share.
void add_selectors(CLI::App& command, AppSelectors& apps, InFiles in_files) {
  const bool configurable = in_files == InFiles::kAllowed;
  command.add_option("-s,--scheduler", apps.scheduler, "Only apps of this scheduler")
      ->type_name("SCHED")
      ->configurable(configurable);
  add_repeatable(command, "--name", apps.names,
                 "Only apps with a name that matches: 'test-*' (repeatable)", "PATTERN")
      ->configurable(configurable);
  command.add_option("--state", apps.state, "Only apps in this state")
      ->type_name("STATE")
      ->check(check_state)
      ->configurable(configurable);
  add_repeatable(command, "--label", apps.labels,
                 "Only apps with this label: K=V, or K for any value (repeatable)", "K=V")
      ->configurable(configurable);
}

void add_time_selectors(CLI::App& command, AppSelectors& apps, InFiles in_files) {
  const bool configurable = in_files == InFiles::kAllowed;
  command
      .add_option("--since", apps.since,
                  "Only apps submitted since this time: 10m, 2h, 2026-03-01T12:00:00Z")
      ->type_name("T")
      ->configurable(configurable);
  command
      .add_option("--before", apps.before,
                  "Only apps submitted before this time: 30d, 12h, RFC 3339, @SECONDS")
      ->type_name("T")
      ->configurable(configurable);
}

/// Adds the arguments HANDLE, all selectors, and --all with the help `help_of_all`.
void add_handles(CLI::App& command, AppSelectors& apps, const char* help_of_all) {
  command.add_option("HANDLE", apps.handles, kHandleHelp)->type_name("");
  add_selectors(command, apps, InFiles::kNot);
  add_time_selectors(command, apps, InFiles::kNot);
  command.add_flag("--all", apps.all, help_of_all)->configurable(false);
}

}  // namespace

void CommandTree::add_wait(CLI::App& command) {
  on_call(command, [this](Invocation& i) { return cli::wait(i, wait); });
  add_handles(command, wait.apps, "Wait for all apps that have not ended");
  command.add_option("--timeout", wait.timeout_s, "Give up after S seconds (exit status 124)")
      ->type_name("S")
      ->check(check_seconds);
  command.add_option("--for", wait.until, "Wait for this state instead of the end")
      ->type_name("STATE")
      ->check(check_state);
  command.add_flag("--any", wait.any, "Wait for one of the apps instead of all");
}

void CommandTree::add_cancel(CLI::App& command) {
  on_call(command, [this](Invocation& i) { return cli::cancel(i, cancel); });
  add_handles(command, cancel.apps, "Cancel all apps that have not ended");
  CLI::Option* grace =
      command.add_option("--grace", cancel.grace_s, "Seconds between SIGTERM and SIGKILL")
          ->type_name("S")
          ->check(check_seconds);
  command.add_flag("--now", cancel.now, "Kill the apps at once")->excludes(grace);
}

void CommandTree::add_delete(CLI::App& command) {
  on_call(command, [this](Invocation& i) { return cli::delete_apps(i, delete_apps); });
  add_handles(command, delete_apps.apps, "Delete all finished apps; with --force, all apps");
  command.add_flag("--force", delete_apps.force, "Also kill and delete apps that still run");
}

void CommandTree::add_log(CLI::App& command) {
  on_call(command, [this](Invocation& i) { return cli::log(i, log); });
  command.add_option("HANDLE", log.apps.handles, kReplicasHelp)->type_name("");
  command.add_flag("-f,--follow", log.follow, "Print new lines until the apps have ended");
  command
      .add_option("--attempt", log.attempt,
                  "Print what attempt N of each replica has written; the first one is 1")
      ->type_name("N")
      ->check(check_positive)
      ->configurable(false);
  command.add_option("--tail", log.tail, "Start with the last N lines of each replica")
      ->type_name("N")
      ->check([](const std::string& text) {
        const std::string wrong = check_count(text);
        return wrong.empty() ? wrong : wrong + "; " + kTailHint;
      });
  command.add_option("--regex", log.regex, "Print only lines that contain a match")
      ->type_name("RE");
  command
      .add_option("--since", log.since,
                  "Print only lines from this time on: RFC 3339, 10m, 2h, @SECONDS")
      ->type_name("T");
  command.add_option("--until", log.until, "Print only lines up to this time")->type_name("T");
  command.add_option("--stream", log.stream, "Print this stream: combined, stdout or stderr")
      ->type_name("NAME")
      ->check(check_stream)
      ->capture_default_str();
  command.add_flag("--timestamps", log.timestamps, "Print the time of each line, if it is known");
  command.add_flag("--no-prefix", log.no_prefix,
                   "Print no prefix (ROLE/REPLICA, app) before lines");
  command.add_flag("--merge", log.merge,
                   "Print the lines of all replicas in the order of their times");
  command.add_flag("--no-events", log.no_events, kNoEventsHelp);
  add_selectors(command, log.apps, InFiles::kNot);
  command.add_flag("--all", log.apps.all, "Print the logs of all apps, also of finished ones")
      ->configurable(false);
}

void CommandTree::add_prune(CLI::App& command) {
  on_call(command, [this](Invocation& i) { return cli::prune(i, prune); });
  add_selectors(command, prune.apps, InFiles::kAllowed);
  add_time_selectors(command, prune.apps, InFiles::kAllowed);
  command
      .add_option("--larger", prune.larger,
                  "Only apps with logs, and images, of at least this size: 1GiB")
      ->type_name("SIZE");
  command.add_flag("--images", prune.images,
                   "Prune only cached images that no app uses, and no apps");
  command.add_flag("--yes", prune.yes, "Delete what `prune` otherwise only lists");
}

void CommandTree::add_list(CLI::App& command) {
  on_call(command, [this](Invocation& i) { return cli::list(i, list); });
  command.add_option("SWEEP", list.sweep, "Only the apps of this sweep (`run --sweep`)")
      ->type_name("");
  add_selectors(command, list.apps, InFiles::kAllowed);
  add_time_selectors(command, list.apps, InFiles::kAllowed);
  command.add_flag("--all", list.apps.all, "Also list finished apps");
  command.add_flag("--table", list.table, "Show each label in a column, and what the apps used");
  command
      .add_option("--limit", list.limit, "List at most N apps of each scheduler, the newest ones")
      ->type_name("N")
      ->check(check_positive);
  command.add_flag("--full", list.full,
                   "Show durations, exit statuses and labels also of more than 100 apps, and of "
                   "apps on clusters");
}

}  // namespace slipway::cli
