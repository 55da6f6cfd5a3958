#include <fmt/core.h>

#include <cstdlib>
#include <iterator>
#include <utility>

#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/apps/app_source.hpp"
#include "core/cli/apps/command_app.hpp"
#include "core/cli/apps/foreground.hpp"
#include "core/cli/apps/owner_link.hpp"
#include "core/cli/apps/run_differences.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/prepared_run.hpp"
#include "core/cli/commands/sweep.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/cli/terminal/time_limit.hpp"
#include "core/components/run_request.hpp"
#include "core/config/locks.hpp"
#include "core/runner/run_record_json.hpp"
#include "core/spec/app_json.hpp"
#include "sdk/support/value_text.hpp"
#include "slipway/scheduler.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::cli {

namespace {

namespace json = boost::json;

// The form of a request that print_request() passes on.
constexpr bool kAsJson = true;
constexpr bool kAsText = false;

/// Returns `command` with the component, arguments, scheduler and run options of TorchX's JSON run
/// arguments on standard input. `--dryrun`, `--wait` and `--log` may come from either source. The
/// workspace and the parent run id of the JSON win over those of `command`. Throws InvalidApp for
/// other JSON.
RunCommand read_run_arguments(RunCommand command) {
  components::RunRequest request = components::parse_run_request(read_standard_input(), "stdin");
  if (!request.workspace.empty()) command.workspace = std::move(request.workspace);
  command.app = std::move(request.component_name);
  command.scheduler = std::move(request.scheduler);
  command.component.words = std::move(request.component_args_str);
  command.component.values = std::move(request.component_args);
  command.cfg_values = std::move(request.scheduler_args);
  for (auto& [key, value] : request.scheduler_cfg) set(command.cfg_values, key, std::move(value));
  command.dryrun = command.dryrun || request.dryrun;
  command.wait = command.wait || request.wait;
  // TorchX's tee_logs adds the replica to each line; Slipway's lines always have it.
  command.log = command.log || request.log || request.tee_logs;
  if (!request.parent_run_id.empty()) command.parent_run_id = std::move(request.parent_run_id);
  return command;
}

/// Throws InvalidApp if standard input names another workspace than the one that the site locks.
void check_locked_workspace(const Invocation& invocation, const RunCommand& command) {
  const config::Setting* set =
      invocation.config().find({config::Section::kCli, "run", "workspace"});
  if (set != nullptr && set->locked && command.workspace != set->value.text)
    throw spec::InvalidApp({config::locked_problem(*set, {"stdin"})});
}

json::array ignored_json(const AppDryRun& dryrun) {
  json::array out;
  for (const Finding& finding : dryrun.findings) {
    out.push_back(json::object{
        {"role", text_or_null(finding.role)}, {"field", finding.field}, {"why", finding.why}});
  }
  return out;
}

json::value workspace_json(const std::optional<AppWorkspace>& workspace) {
  if (!workspace) return nullptr;
  const WorkspaceResult& result = workspace->copies.front().result;
  const auto number = [](std::int64_t value) {
    return value < 0 ? json::value() : json::value(value);
  };
  json::array images;
  for (const WorkspaceCopy& copy : workspace->copies)
    images.push_back(json::string(copy.result.image));
  return json::object{{"provider", workspace->provider}, {"source", workspace->source},
                      {"image", result.image},           {"files", number(result.files)},
                      {"bytes", number(result.bytes)},   {"images", std::move(images)}};
}

/// Passes the request to `write` in pieces, because it may have many megabytes. Each piece consists
/// of whole characters.
template <class Write>
void print_request(const AppDryRun& dryrun, bool as_json, Write write) {
  constexpr std::size_t kBuffer = 64 * 1024;
  std::string buffer;
  dryrun.request.print(as_json, [&](std::string_view piece) {
    buffer.append(piece);
    if (buffer.size() < kBuffer) return;
    const std::size_t whole = whole_characters(buffer);
    write(std::string_view(buffer).substr(0, whole));
    buffer.erase(0, whole);
  });
  write(std::string_view(buffer));
}

/// Prints the dry run as JSON. Its request is the scheduler's own JSON.
void write_dryrun_json(const AppDryRun& dryrun, const StrDict& origins) {
  json::object cfg;
  for (const auto& [key, value] : dryrun.cfg.values()) cfg[key] = value_json(value);
  json::object cfg_origins;
  for (const auto& [key, origin] : origins) cfg_origins[key] = origin;
  const auto text = [](const json::value& value) { return json::serialize(value); };
  write_bytes(visible_json(
      "{\"app\":" + text(spec::to_json(dryrun.app)) +
      ",\"scheduler\":" + text(json::value(dryrun.scheduler)) + ",\"cfg\":" + text(cfg) +
      ",\"cfg_origins\":" + text(cfg_origins) + ",\"ignored\":" + text(ignored_json(dryrun)) +
      ",\"workspace\":" + text(workspace_json(dryrun.workspace)) + ",\"request\":"));
  print_request(dryrun, kAsJson, [](std::string_view piece) { write_bytes(visible_json(piece)); });
  write_bytes("}\n");
}

/// Reports the run options that have another origin than `-c`: files, variables, standard input or
/// a repeated run. The user has just written those of `-c`.
void report_options(const AppDryRun& dryrun, const StrDict& origins) {
  std::string line;
  for (const auto& [name, origin] : origins) {
    const Value* value = dryrun.cfg.find(name);
    if (origin == "-c" || value == nullptr) continue;
    line += fmt::format("{}{}={} ({})", line.empty() ? "options: " : ", ", name, to_text(*value),
                        origin);
  }
  if (!line.empty()) say(LogLevel::kInfo, line);
}

int show_dryrun(Invocation& invocation, const AppDryRun& dryrun, const StrDict& origins) {
  if (invocation.json()) {
    write_dryrun_json(dryrun, origins);
  } else {
    report_options(dryrun, origins);
    print_request(dryrun, kAsText, write_output);
  }
  return kExitOk;
}

/// Submits the app. Throws Error kCancelled if an interrupt comes before the app exists.
AppHandle schedule(Runner& runner, const AppDryRun& dryrun, const ScheduleOptions& options,
                   Interrupts& interrupts) {
  interrupts.end_when_stuck();
  try {
    const AppHandle handle = runner.schedule(dryrun, options, interrupts.fd());
    interrupts.handled();
    return handle;
  } catch (const Error&) {
    // Removes the signals from the queue. Otherwise they would end the process when they are
    // unblocked, before it has reported the error.
    while (interrupts.take() != 0) {
    }
    throw;
  }
}

/// Returns whether WORD in `run -- WORD…` is a program. If a component has that name, it is not.
bool is_program(Invocation& invocation, const RunCommand& command) {
  if (!command.may_be_program) return false;
  try {
    // `run -- train.py` runs the file as a program; `run train.py` runs its component.
    const components::ComponentReference source =
        invocation.components().parse_source_file(command.app);
    if (!source.file.empty()) return source.name.empty();
    invocation.components().find(command.app, components::PlainNames::kNotInModules);
    return false;
  } catch (const Error& error) {
    if (error.code() != Code::kNotFound) throw;
    return true;
  }
}

/// Prints how a run differs from the run that it repeats.
void report_differences(const RunCommand& command, const RunRecord& now) {
  if (!command.repeated) return;
  for (const std::string& line : run_differences(*command.repeated, now))
    say(LogLevel::kInfo, "not as before: " + line);
}

/// Does the same after the submission, which has added the machine, the versions and the variables
/// to the record. The app runs, so a record that cannot be read causes only a warning.
void report_differences(const RunCommand& command, Runner& runner, const AppHandle& handle) {
  if (!command.repeated) return;
  try {
    report_differences(command, runner.run_record(handle).value_or(RunRecord()));
  } catch (const Error& error) {
    say(LogLevel::kWarning, "cannot compare this run with the earlier one: " + error.message());
  }
}

/// Prints the handle. If that fails, the error names an app that continues without the command.
void print_handle(const Invocation& invocation, const AppHandle& handle, bool is_owned) {
  try {
    if (invocation.json()) {
      write_json(handle_json(handle));
    } else {
      write_output(to_string(handle) + "\n");
    }
  } catch (const Error& error) {
    if (is_owned) throw;
    throw Error(error.code(), error.message() + "; the app " + to_string(handle) + " is submitted",
                "`slipway cancel " + app_argument(handle.app_id) + "` ends it");
  }
}

}  // namespace

int run_app(Invocation& invocation, AppDef app, const AppOrigin& origin,
            const RunCommand& command) {
  check_events_option(invocation, command.events);
  // TorchX's launcher also sets this variable. Replicas on this machine inherit it.
  ::setenv("TORCHX_CONTEXT_NAME", "cli_run", 0);
  Runner& runner = invocation.runner();
  const auto [dryrun, origins] = prepare_run(invocation, std::move(app), origin, command);
  if (command.dryrun) {
    report_differences(command, dryrun.record);
    return show_dryrun(invocation, dryrun, origins);
  }

  const bool foreground =
      runner.scheduler(dryrun.scheduler, runner.session()).foreground_by_default() &&
      !command.detach;
  const bool follows = foreground || command.wait || command.log;
  if (command.events && !follows) {
    throw Error(Code::kUsage, "--events prints events while the command waits for the app",
                "add --wait, or leave -d out");
  }
  std::optional<OwnerLink> owner;
  ScheduleOptions options;
  if (foreground) {
    owner.emplace();
    options.foreground = true;
    options.owner_fd = owner->schedulers.get();
  }
  // From here ^C cancels the app of a foreground run. Before the app exists, ^C ends the fetching
  // of its images, and otherwise lets the scheduler finish or undo its submission, also with -d.
  Interrupts interrupts;
  const AppHandle handle = schedule(runner, dryrun, options, interrupts);
  lift_time_limit();
  report_differences(command, runner, handle);
  if (owner) owner->schedulers = OwnedFd();  // the scheduler has its own copy of this end
  if (!invocation.json() || !follows) print_handle(invocation, handle, owner.has_value());
  if (!follows) {
    const std::string app_word = app_argument(handle.app_id);
    say(LogLevel::kInfo,
        "status: slipway status " + app_word + "; logs: slipway log -f " + app_word);
    if (interrupts.take() == 0) return kExitOk;
    say(LogLevel::kWarning,
        "the interrupt came after the submission: slipway cancel " + app_word + " ends the app");
    return kExitInterrupted;
  }
  FollowOptions follow;
  follow.show_logs = !command.no_log && (foreground || command.log);
  follow.show_failures = !command.no_events;
  follow.prints_events = command.events;
  if (foreground) follow.cancelling = Cancelling::kEverySignal;
  if (owner) follow.release = [&owner] { return owner->release(); };
  return report_end(invocation, follow_app(invocation, handle, interrupts, follow));
}

int run(Invocation& invocation, const RunCommand& command) {
  if (command.from_stdin) {
    RunCommand requested = read_run_arguments(command);
    check_locked_workspace(invocation, requested);
    requested.from_stdin = false;
    return run(invocation, requested);
  }
  if (is_program(invocation, command)) {
    if (command.sweep) {
      throw Error(
          Code::kUsage, "--sweep is for the parameters of a component",
          "write a component file, in which the entrypoint of [[component.NAME.app.roles]] is the "
          "program");
    }
    StrList words{command.app};
    words.insert(words.end(), command.component.words.begin(), command.component.words.end());
    return run_app(invocation, command_app(words, command.replicas.value_or(1)), {}, command);
  }
  if (command.replicas) {
    throw Error(Code::kUsage, "--replicas is for a program after --",
                "an app file sets num_replicas, and a component has parameters");
  }
  if (command.sweep) return run_sweep(invocation, command);
  std::optional<LoadedApp> loaded = load_run(invocation, command, command.component);
  if (!loaded) return kExitOk;  // load_app() has printed a component's help
  // The user did not choose these values, so the scheduler may ignore them without a warning.
  RunCommand accepting = command;
  for (const std::string& field : loaded->defaulted_fields) accepting.accept_ignored += "," + field;
  return run_app(invocation, std::move(loaded->app), loaded->origin, accepting);
}

}  // namespace slipway::cli
