#include <fmt/core.h>
#include <sys/socket.h>

#include <iterator>
#include <map>

#include "core/cli/apps/app_source.hpp"
#include "core/cli/apps/foreground.hpp"
#include "core/cli/apps/foreground_end.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/stdin_request.hpp"
#include "core/cli/invocation/configuration.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/output/secrets.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/stream_write.hpp"
#include "core/components/component_call.hpp"
#include "core/runner/run_options.hpp"
#include "core/spec/app_json.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::cli {

namespace {

namespace json = boost::json;

Dict<Value> given_options(Invocation& invocation, const RunCommand& command) {
  const RunOpts declared = invocation.runner().run_opts(command.scheduler);
  Dict<Value> out;
  for (ConfiguredOption& option :
       configured_options(invocation.config(), command.scheduler, declared)) {
    set(out, option.name, std::move(option.value));
  }
  tell_misspelt_schedulers(invocation.config(), command.scheduler,
                           [&] { return invocation.runner().scheduler_backends(); });
  for (const auto& [name, value] : command.cfg_values) set(out, name, value);
  std::vector<std::string> warnings;
  for (const std::string& text : command.cfg) {
    for (auto& [key, value] : parse_options(declared, text, warnings))
      set(out, key, std::move(value));
  }
  for (const std::string& warning : warnings) say(LogLevel::kWarning, warning);
  check_site_rules(invocation.config(), command.scheduler, declared, out);
  return out;
}

/// One warning a field and reason, with the roles that it holds for.
void tell_findings(const AppDryRun& dryrun) {
  std::map<std::pair<std::string, std::string>, std::string> roles;
  for (const Finding& finding : dryrun.findings) {
    std::string& names = roles[{finding.field, finding.why}];
    if (!finding.role.empty()) names += (names.empty() ? "" : ", ") + finding.role;
  }
  for (const auto& [what, names] : roles) {
    say(LogLevel::kWarning, fmt::format("{} ignores {}{}: {}", dryrun.scheduler, what.first,
                                        names.empty() ? "" : " of " + names, what.second));
  }
}

json::array ignored_json(const AppDryRun& dryrun) {
  json::array out;
  for (const Finding& finding : dryrun.findings) {
    out.push_back(json::object{
        {"role", text_or_null(finding.role)}, {"field", finding.field}, {"why", finding.why}});
  }
  return out;
}

void tell_workspace(const AppWorkspace& workspace, bool is_dryrun) {
  const WorkspaceResult& result = workspace.result;
  const std::string amount = result.files < 0
                                 ? workspace.order.source
                                 : fmt::format("{} files ({} bytes) of {}", result.files,
                                               result.bytes, workspace.order.source);
  say(LogLevel::kInfo, fmt::format("workspace: {} {} copied to {}", amount,
                                   is_dryrun ? "would be" : "are", result.image));
}

json::value workspace_json(const std::optional<AppWorkspace>& workspace) {
  if (!workspace) return nullptr;
  const WorkspaceResult& result = workspace->result;
  const auto number = [](std::int64_t value) {
    return value < 0 ? json::value() : json::value(value);
  };
  return json::object{{"provider", workspace->provider},
                      {"source", workspace->order.source},
                      {"image", result.image},
                      {"files", number(result.files)},
                      {"bytes", number(result.bytes)}};
}

/// Prints the request, perhaps of many megabytes, piece by piece: `write` gets whole characters.
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

/// The request is the scheduler's own JSON.
void write_dryrun_json(const AppDryRun& dryrun) {
  json::object cfg;
  for (const auto& [key, value] : dryrun.cfg.values()) cfg[key] = value_json(value);
  const auto text = [](const json::value& value) { return json::serialize(value); };
  write_bytes(visible_json("{\"app\":" + text(spec::to_json(dryrun.app)) +
                           ",\"scheduler\":" + text(json::value(dryrun.scheduler)) +
                           ",\"cfg\":" + text(cfg) + ",\"ignored\":" + text(ignored_json(dryrun)) +
                           ",\"workspace\":" + text(workspace_json(dryrun.workspace)) +
                           ",\"request\":"));
  print_request(dryrun, true, [](std::string_view piece) { write_bytes(visible_json(piece)); });
  write_bytes("}\n");
}

int show_dryrun(Invocation& invocation, const AppDryRun& dryrun) {
  if (invocation.json()) {
    write_dryrun_json(dryrun);
  } else {
    print_request(dryrun, false, write_output);
  }
  return kExitOk;
}

/// A pair of connected sockets: the scheduler watches one, this process keeps the other for as long
/// as it lives.
struct OwnerLink {
  OwnedFd mine;
  OwnedFd schedulers;

  OwnerLink() {
    int pair[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
      throw Error(Code::kUnavailable, "no descriptor is left for owning the app",
                  "raise the limit of open files (ulimit -n)");
    }
    mine = OwnedFd(pair[0]);
    schedulers = OwnedFd(pair[1]);
  }
};

/// Submits the app. An interrupt that comes before there is an app ends the command: kCancelled.
AppHandle schedule(Runner& runner, const AppDryRun& dryrun, const ScheduleOptions& options,
                   std::optional<Interrupts>& interrupts) {
  if (!interrupts) return runner.schedule(dryrun, options);
  try {
    return runner.schedule(dryrun, options, interrupts->fd());
  } catch (const Error& error) {
    // answered: it must not end the process by itself when signals are let through again
    if (error.code() == Code::kCancelled) interrupts->take();
    throw;
  }
}

/// Returns the name of the scheduler that `name` means: `default` is an alias, whose settings and
/// locks are those of the real one.
std::string real_scheduler(Invocation& invocation, const std::string& name) {
  Runner& runner = invocation.runner();
  return name == kDefaultSchedulerAlias ? runner.scheduler(name, runner.session()).name() : name;
}

/// Components of plug-ins ask the host for resources: they get those of the scheduler that the app
/// is made for.
void serve_resources_of(Invocation& invocation, const std::string& scheduler) {
  invocation.runner().plugins().serve_named_resources(
      [&book = invocation.resources(), scheduler](std::string_view name) {
        return book.get(name, scheduler);
      });
}

}  // namespace

int run(Invocation& invocation, const RunCommand& command) {
  if (command.from_stdin) {
    RunCommand requested = read_request(command);
    requested.from_stdin = false;
    return run(invocation, requested);
  }
  ComponentGiven given = command.component;
  given.defaults = [&](const std::string& component) {
    return invocation.config().component_defaults(component);
  };
  const std::string source =
      command.app.empty()
          ? components::split_call({}, invocation.config().default_component()).component
          : command.app;
  serve_resources_of(invocation, real_scheduler(invocation, command.scheduler));
  std::optional<AppDef> app = load_app(invocation, source, given);
  if (!app) return kExitOk;  // a component's help was what was asked for
  return run_app(invocation, *std::move(app), command);
}

int run_app(Invocation& invocation, AppDef app, const RunCommand& given) {
  Runner& runner = invocation.runner();
  RunCommand command = given;
  command.scheduler = real_scheduler(invocation, given.scheduler);
  // nothing that is only shown holds a secret, whatever the scheduler prints of it
  if (command.dryrun && !invocation.options().show_secrets) redact_secrets(app);
  const AppDryRun dryrun =
      runner.dryrun(std::move(app), command.scheduler, given_options(invocation, command),
                    command.parent_run_id, command.workspace);
  tell_findings(dryrun);
  if (dryrun.workspace) tell_workspace(*dryrun.workspace, command.dryrun);
  if (command.dryrun) return show_dryrun(invocation, dryrun);

  const bool foreground =
      runner.scheduler(command.scheduler, runner.session()).foreground_by_default() &&
      !command.detach;
  const bool stay = foreground || command.wait || command.log;
  std::optional<OwnerLink> owner;
  ScheduleOptions options;
  if (foreground) {
    owner.emplace();
    options.foreground = true;
    options.owner_fd = owner->schedulers.get();
  }
  // from here on ^C is for the app, which may exist by the time it comes, or ends the fetching of
  // its images
  std::optional<Interrupts> interrupts;
  if (stay) interrupts.emplace();
  const AppHandle handle = schedule(runner, dryrun, options, interrupts);
  if (owner) owner->schedulers = OwnedFd();
  if (!invocation.json()) write_output(to_string(handle) + "\n");
  if (!stay) {
    if (invocation.json()) write_json(handle_json(handle));
    say(LogLevel::kInfo,
        "status: slipway status " + handle.app_id + "; logs: slipway log -f " + handle.app_id);
    return kExitOk;
  }
  ForegroundOptions stay_options;
  stay_options.show_logs = !command.no_log && (foreground || command.log);
  stay_options.forward_interrupts = foreground;
  return tell_end(invocation, stay_with(invocation, handle, *interrupts, stay_options));
}

}  // namespace slipway::cli
