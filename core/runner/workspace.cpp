#include "core/runner/workspace.hpp"

#include <cctype>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/registry/calls/host_table.hpp"
#include "sdk/support/directory_maker.hpp"
#include "sdk/support/utf8.hpp"
#include "slipway/error.hpp"
#include "slipway/ids.hpp"

namespace slipway {

namespace {

namespace fs = std::filesystem;

constexpr const char* kDefaultProvider = "dir";

/// The key of the app's metadata for the workspace that the app was started from.
constexpr const char* kWorkspaceKey = "slipway.workspace";

/// Returns a unique directory name without special characters.
std::string directory_name(const std::string& app_name) {
  std::string out = app_name;
  for (char& c : out)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') c = '-';
  return make_unique_id(out.empty() || out[0] == '-' ? "app" + out : out);
}

std::string absolute(const std::string& path) {
  const fs::path out = fs::absolute(path).lexically_normal();
  return out.has_filename() ? out.string() : out.parent_path().string();
}

/// Returns the scheduler's option for the directory of the copy, or nullptr.
const RunOpt* workspace_option(const RunOpts& declared) {
  for (const RunOpt& option : declared)
    if (option.meaning == OptMeaning::kWorkspaceDir) return &option;
  return nullptr;
}

/// Returns the directory of the copies for which the user chose none.
std::string copies_in_state(const registry::PluginHost& plugins, const std::string& scheduler) {
  return plugins.state_dir(scheduler) + "/workspaces";
}

}  // namespace

AppDef with_image(AppDef app, const std::string& image) {
  for (Role& role : app.roles) role.image = image;
  return app;
}

WorkspaceName parse_workspace(const std::string& text) {
  if (text.empty())
    throw Error(Code::kUsage, "the workspace is empty", "name a directory: --workspace .");
  const std::size_t scheme = text.find("://");
  if (scheme != std::string::npos) return {text.substr(0, scheme), text};
  return {kDefaultProvider, absolute(text)};
}

AppWorkspace plan_workspace(registry::PluginHost& plugins, const std::string& text,
                            const std::string& scheduler, const RunOpts& declared, AppDef& app,
                            Cfg& cfg) {
  WorkspaceName name = parse_workspace(text);
  AppWorkspace out;
  out.provider = std::move(name.provider);
  out.order.source = std::move(name.source);
  out.order.name = directory_name(app.name);
  const RunOpt* option = workspace_option(declared);
  const std::string directory = option != nullptr ? cfg.text(option->name) : std::string();
  out.order.directory =
      directory.empty() ? copies_in_state(plugins, scheduler) : absolute(directory);
  out.result = plugins.workspace(out.provider).plan(out.order);
  if (find_invalid_utf8(out.result.image) != std::string_view::npos) {
    throw Error(Code::kInvalid, "the path of the copy, " + out.result.image + ", is not UTF-8",
                "choose a directory whose path is UTF-8, by XDG_STATE_HOME or the run option of "
                "the scheduler");
  }
  if (option != nullptr) cfg.set(option->name, out.result.image);
  app = with_image(std::move(app), out.result.image);
  // The metadata of an app is JSON and must be UTF-8. The run record has the path itself.
  const bool is_utf8 = find_invalid_utf8(out.order.source) == std::string_view::npos;
  set(app.metadata, kWorkspaceKey, is_utf8 ? out.order.source : visible_text(out.order.source));
  return out;
}

RecordedWorkspace recorded_workspace(const AppWorkspace& workspace, const RunOpts& declared) {
  const RunOpt* option = workspace_option(declared);
  return {workspace.provider, workspace.order.source, workspace.result.image,
          option != nullptr ? option->name : std::string()};
}

std::string existing_directory_for(const AppWorkspace& workspace) {
  const std::string& source = workspace.order.source;
  const std::size_t scheme = source.find("://");
  const std::string path = scheme == std::string::npos ? source : source.substr(scheme + 3);
  std::error_code error;
  return fs::is_directory(path, error) ? path : "/";
}

void build_workspace(registry::PluginHost& plugins, const std::string& scheduler,
                     const AppWorkspace& workspace, const slipway_cancel* cancel) {
  // No other user may write to the default directory, because replicas run programs from the copy.
  // A directory that the user chose is not checked: it may belong to a group.
  if (const std::string& directory = workspace.order.directory;
      directory == copies_in_state(plugins, scheduler))
    DirectoryMaker("state directory", kStateHint).open_own_levels(directory, {});
  plugins.workspace(workspace.provider).build(workspace.order, cancel);
}

void discard_workspace(registry::PluginHost& plugins, const AppWorkspace& workspace) noexcept {
  try {
    plugins.workspace(workspace.provider).discard(workspace.result.image);
  } catch (...) {
    return;  // the caller reports the error that made the copy useless
  }
}

}  // namespace slipway
