#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/runner/workspace.hpp"
#include "core/spec/secret_names.hpp"
#include "sdk/support/absolute_path.hpp"
#include "sdk/support/value_text.hpp"

namespace slipway::cli {

namespace {

namespace fs = std::filesystem;

/// Returns the record of the run. Prints a warning for a missing or damaged record, because the app
/// itself can still run again.
std::optional<RunRecord> find_record(Invocation& invocation, const AppHandle& handle) {
  try {
    std::optional<RunRecord> record = invocation.runner().run_record(handle);
    if (!record)
      say(LogLevel::kWarning, "the run options of " + handle.app_id + " are not recorded");
    return record;
  } catch (const Error& error) {
    say(LogLevel::kWarning, error.message() + ": its run options are not used");
    return std::nullopt;
  }
}

/// Returns the recorded options with a value, except those that the scheduler no longer has and
/// redacted ones: prints a warning for each of these.
Dict<Value> usable_options(Invocation& invocation, const RunRecord& record,
                           const std::string& scheduler) {
  Dict<Value> out;
  const RunOpts declared = invocation.runner().run_opts(scheduler);
  for (const RecordedOption& option : record.options) {
    if (type_of(option.value) == ValueType::kNone) continue;
    const std::string text = to_text(option.value);
    if (declared.get(option.name) == nullptr) {
      say(LogLevel::kWarning, scheduler + " has no run option " + option.name + " any more");
    } else if (text.find(spec::kRedacted) != std::string::npos) {
      say(LogLevel::kWarning,
          "the run option " + option.name + " is a secret, which is not recorded; give it with -c");
    } else {
      set(out, option.name, option.value);
    }
  }
  return out;
}

/// Returns the name of the scheduler's run option for the copy of a workspace, or an empty text.
std::string workspace_option_of(Invocation& invocation, const std::string& scheduler) {
  const RunOpts declared = invocation.runner().run_opts(scheduler);
  const RunOpt* const option = workspace_option(declared);
  return option != nullptr ? option->name : std::string();
}

/// Makes paths of the command line independent of the working directory.
void make_absolute(RunCommand& command) {
  for (std::string& path : command.overrides.env_files) path = absolute_path(path).string();
  if (!command.workspace.empty() && command.workspace.find("://") == std::string::npos)
    command.workspace = absolute_path(command.workspace).string();
  std::error_code ignored;  // of a deleted working directory: relative paths stay as they are
  command.cfg_directory = fs::current_path(ignored).string();
}

/// Makes `directory` the working directory. Prints a warning if that fails.
void go_to(const std::string& directory) {
  if (directory.empty() || ::chdir(directory.c_str()) == 0) return;
  say(LogLevel::kWarning, "the app runs in this directory, because that of the first run, " +
                              directory + ", cannot be used: " + std::strerror(errno));
}

}  // namespace

int rerun(Invocation& invocation, const RunCommand& command) {
  const AppHandle handle = find_app(invocation, command.app);
  existing_app(invocation, handle, StatusDetail::kApp);  // throws if the app does not exist
  std::optional<AppDef> app = invocation.runner().describe(handle);
  if (!app) throw AppNotReRunnable(handle);
  RunCommand again = command;
  if (again.scheduler.empty()) again.scheduler = handle.scheduler;
  again.repeated = find_record(invocation, handle);
  if (again.repeated) {
    if (again.scheduler == handle.scheduler) {
      again.cfg_values = usable_options(invocation, *again.repeated, handle.scheduler);
    } else {
      say(LogLevel::kInfo, "the run options of " + handle.scheduler + " are not used");
      again.repeated->options.clear();
      if (again.repeated->workspace)
        again.repeated->workspace->option = workspace_option_of(invocation, again.scheduler);
    }
    if (again.repeated->workspace && again.workspace.empty())
      use_recorded_copy(*again.repeated->workspace, again.cfg_values);
    make_absolute(again);
    go_to(again.repeated->directory);
  }
  return run_app(invocation, *std::move(app), {}, again);
}

}  // namespace slipway::cli
