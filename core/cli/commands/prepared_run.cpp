#include "core/cli/commands/prepared_run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "core/cli/apps/all_schedulers.hpp"
#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/apps/app_options.hpp"
#include "core/cli/apps/app_selection.hpp"
#include "core/cli/apps/run_facts.hpp"
#include "core/cli/apps/sweep_grid.hpp"
#include "core/cli/apps/sweep_labels.hpp"
#include "core/cli/output/secrets.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/components/component_call.hpp"
#include "sdk/support/joined.hpp"

namespace slipway::cli {
namespace {

void append_once(std::vector<std::string>& to, const std::string& word) {
  if (!word.empty() && std::find(to.begin(), to.end(), word) == to.end()) to.push_back(word);
}

/// Prints one warning for each reason, with the fields and roles that it concerns. Prints no
/// warning for fields in `accepted`.
void warn_of_ignored_fields(const AppDryRun& dryrun, const std::vector<std::string>& accepted) {
  struct Concerned {
    std::vector<std::string> roles;
    std::vector<std::string> fields;
  };
  std::map<std::string, Concerned> reasons;
  for (const Finding& finding : dryrun.findings) {
    if (std::find(accepted.begin(), accepted.end(), finding.field) != accepted.end()) continue;
    Concerned& concerned = reasons[finding.why];
    append_once(concerned.fields, finding.field);
    append_once(concerned.roles, finding.role);
  }
  for (const auto& [why, concerned] : reasons) {
    const std::string of = concerned.roles.empty() ? "" : " of " + joined(concerned.roles);
    say(LogLevel::kWarning,
        fmt::format("{} ignores {}{}: {}", dryrun.scheduler, joined(concerned.fields), of, why));
  }
}

void report_workspace(const AppWorkspace& workspace, bool is_dryrun) {
  const WorkspaceResult& result = workspace.copies.front().result;
  const std::string amount =
      result.files < 0
          ? workspace.source
          : fmt::format("{} files ({} bytes) of {}", result.files, result.bytes, workspace.source);
  StrList images;
  for (const WorkspaceCopy& copy : workspace.copies) images.push_back(copy.result.image);
  say(LogLevel::kInfo, fmt::format("workspace: {} {} copied to {}", amount,
                                   is_dryrun ? "would be" : "are", joined(images)));
}

/// Lets components of plug-ins look up named resources as the scheduler of the app has them.
void serve_resources_of(Invocation& invocation, const std::string& scheduler) {
  invocation.runner().plugins().serve_named_resources(
      [&book = invocation.resources(), scheduler](std::string_view name) {
        return book.get(name, scheduler);
      });
}

/// Adds what the runner does not know about this call: its words, and the origins of the options.
void add_facts(Invocation& invocation, const RunCommand& command, const StrDict& origins,
               RunRecord& record) {
  for (RecordedOption& option : record.options)
    if (const std::string* origin = find(origins, option.name)) option.origin = *origin;
  hide_secrets(record.options);
  record.command_line = words_without_secrets(invocation.words());
  // A repeated run without --workspace uses the copy of the run that it repeats.
  if (command.repeated && command.workspace.empty()) record.workspace = command.repeated->workspace;
}

/// Removes TorchX's default image and its text for no image if the scheduler has the option
/// `image_provider` and no workspace replaces the images. Such a scheduler runs programs of this
/// machine, so a container image that the user did not choose would be an error.
void remove_default_images(Invocation& invocation, const RunCommand& command, LoadedApp& loaded) {
  constexpr std::string_view kTorchxImages = "ghcr.io/pytorch/torchx:";
  const StrList& defaulted = loaded.defaulted_fields;
  const bool is_default = std::find(defaulted.begin(), defaulted.end(), "image") != defaulted.end();
  const auto is_unchosen = [&](const Role& role) {
    return role.image == kNoneText || (is_default && role.image.starts_with(kTorchxImages));
  };
  std::vector<Role>& roles = loaded.app.roles;
  if (!command.workspace.empty() || std::none_of(roles.begin(), roles.end(), is_unchosen)) return;
  const std::string scheduler = real_scheduler(invocation.runner(), command.scheduler);
  if (invocation.runner().run_opts(scheduler).get("image_provider") == nullptr) return;
  for (Role& role : roles) {
    if (is_unchosen(role)) role.image.clear();
  }
}

/// Returns the APP of the command, or without one the component of the configuration.
std::string source_of(Invocation& invocation, const RunCommand& command) {
  if (!command.app.empty()) return command.app;
  return components::split_call({}, invocation.config().default_component()).component;
}

}  // namespace

std::optional<std::vector<StrDict>> load_grid(Invocation& invocation, const RunCommand& command) {
  auto of_component = load_sweep(invocation, source_of(invocation, command), command.component);
  if (!of_component) return std::nullopt;
  const auto params = swept_params(std::move(*of_component), command.component.params);
  if (params.empty()) {
    throw Error(Code::kUsage, "--sweep needs values of parameters",
                "write -P lr=0.1,0.01 before a component, or [component.NAME.sweep] in its file");
  }
  // The values of parameters are labels of the apps beside the sweep's own ones.
  for (const components::SweptParam& param : params) {
    if (param.name != kSweepLabel && param.name != kSweepIndexLabel) continue;
    throw Error(Code::kUsage, "a sweep has a label " + spec::quoted(param.name) + " of its own",
                "give the component's parameter another name");
  }
  return combinations(params);
}

std::optional<LoadedApp> load_run(Invocation& invocation, const RunCommand& command,
                                  ComponentArguments arguments) {
  arguments.defaults = [&](const std::string& component) {
    return invocation.config().component_defaults(component);
  };
  serve_resources_of(invocation, real_scheduler(invocation.runner(), command.scheduler));
  std::optional<LoadedApp> loaded = load_app(invocation, source_of(invocation, command), arguments);
  if (loaded) remove_default_images(invocation, command, *loaded);
  return loaded;
}

PreparedRun prepare_run(Invocation& invocation, AppDef app, const AppOrigin& origin,
                        const RunCommand& command) {
  const std::string scheduler = real_scheduler(invocation.runner(), command.scheduler);
  apply_overrides(invocation, command.overrides, app);
  for (const std::string& text : command.labels) {
    const auto [key, value] = parse_label(text);
    set(app.metadata, key, value);
  }
  // A dry run only prints the request, so the scheduler gets an app without secrets.
  if (command.dryrun && !invocation.options().show_secrets) redact_secrets(app);
  CollectedOptions collected;
  if (!command.is_own_app) {
    collected = collect_options(invocation, app, origin,
                                {scheduler, command.cfg_values, command.repeated.has_value(),
                                 command.cfg, command.cfg_directory, command.overrides.fields});
  }
  const bool has_directory =
      !command.workspace.empty() && command.workspace.find("://") == std::string::npos;
  // Git answers while the scheduler makes the request.
  const auto git = std::make_shared<GitState>(has_directory ? command.workspace : ".");
  PreparedRun out{invocation.runner().dryrun(std::move(app), scheduler, std::move(collected.values),
                                             command.parent_run_id, command.workspace),
                  std::move(collected.origins)};
  add_facts(invocation, command, out.origins, out.dryrun.record);
  out.dryrun.complete_record = [git](RunRecord& record) { git->read_into(record); };
  warn_of_ignored_fields(out.dryrun, comma_list(command.accept_ignored));
  if (out.dryrun.workspace) report_workspace(*out.dryrun.workspace, command.dryrun);
  return out;
}

}  // namespace slipway::cli
