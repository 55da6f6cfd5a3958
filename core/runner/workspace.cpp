#include "core/runner/workspace.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

#include "core/registry/calls/host_table.hpp"
#include "core/runner/workspace_url.hpp"
#include "sdk/support/absolute_path.hpp"
#include "sdk/support/directory_maker.hpp"
#include "sdk/support/percent_text.hpp"
#include "sdk/support/utf8.hpp"
#include "slipway/error.hpp"
#include "slipway/ids.hpp"

namespace slipway {

namespace {

namespace fs = std::filesystem;

constexpr const char* kDefaultProvider = "dir";
constexpr const char* kFileScheme = "file";  // of the URL of a directory, as TorchX writes it

/// The key of the app's metadata for the workspace that the app was started from.
constexpr const char* kWorkspaceKey = "slipway.workspace";

/// Bytes of an app's name in the name of a copy. A file name has at most 255 bytes, and providers
/// add to the name of the copy for temporary files.
constexpr std::size_t kLongestStart = 200;

/// Returns a unique directory name without special characters.
std::string directory_name(const std::string& app_name) {
  std::string out = app_name.substr(0, kLongestStart);
  for (char& c : out)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') c = '-';
  return make_unique_id(out.empty() || out[0] == '-' ? "app" + out : out);
}

/// Returns the absolute path of a directory, without a slash at the end.
std::string absolute(const std::string& path) {
  const fs::path out = normal_path(absolute_path(path));
  return out.has_filename() ? out.string() : out.parent_path().string();
}

bool is_url(const std::string& source) { return source.find("://") != std::string::npos; }

/// Returns the form of workspaces in the scheduler's manifest, such as
/// `image://${dir}?from=${image}`, if it applies: to a directory, and to a URL of the form's
/// provider without a query. Otherwise returns an empty text.
std::string form_for(registry::PluginHost& plugins, const std::string& scheduler,
                     const WorkspaceName& name) {
  const std::string form =
      plugins.registry().find_provider(registry::Group::kSchedulers, scheduler).provided->workspace;
  if (form.empty()) return {};
  const bool is_directory = !is_url(name.source) || name.provider == kFileScheme;
  const bool is_of_form = name.provider == form.substr(0, form.find("://"));
  const bool has_query = name.source.find('?') != std::string::npos;
  return is_directory || (is_of_form && !has_query) ? form : std::string();
}

/// Returns the directory of the copies if the user has not chosen one.
std::string copies_in_state(const registry::PluginHost& plugins, const std::string& scheduler) {
  return plugins.state_dir(scheduler) + "/workspaces";
}

/// Returns the path in a URL, or the path itself.
std::string path_in(const std::string& source) {
  const std::size_t scheme = source.find("://");
  return scheme == std::string::npos ? source : source.substr(scheme + 3);
}

/// Returns the result unchanged. Throws Error kInvalid if the path of the copy is not UTF-8, which
/// the image of a role must be.
WorkspaceResult checked(WorkspaceResult result) {
  if (find_invalid_utf8(result.image) == std::string_view::npos) return result;
  throw Error(Code::kInvalid, "the path of the copy, " + result.image + ", is not UTF-8",
              "choose a directory whose path is UTF-8, by XDG_STATE_HOME or the run option of "
              "the scheduler");
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

const RunOpt* workspace_option(const RunOpts& declared) {
  for (const RunOpt& option : declared)
    if (option.meaning == OptMeaning::kWorkspaceDir) return &option;
  return nullptr;
}

AppWorkspace plan_workspace(registry::PluginHost& plugins, const std::string& text,
                            const std::string& scheduler, const RunOpts& declared, AppDef& app,
                            Cfg& cfg) {
  const WorkspaceName name = parse_workspace(text);
  const std::string form = form_for(plugins, scheduler, name);
  AppWorkspace out;
  out.provider = form.empty() ? name.provider : form.substr(0, form.find("://"));
  out.source = name.source;
  const RunOpt* option = workspace_option(declared);
  const std::string directory = option != nullptr ? cfg.text(option->name) : std::string();
  WorkspaceOrder order;
  const std::string first_name = directory_name(app.name);
  order.directory = directory.empty() ? copies_in_state(plugins, scheduler) : absolute(directory);
  // The path in a URL of the form's provider is already encoded as that provider expects.
  const bool is_encoded = is_url(name.source) && name.provider != kFileScheme;
  const std::string path =
      is_encoded ? path_in(name.source) : percent_encoded(path_in(name.source), "/");
  const registry::PluginWorkspace provider = plugins.workspace(out.provider);
  for (Role& role : app.roles) {
    order.source =
        form.empty() ? name.source : workspace_url(form, path, role.image, declared, cfg);
    auto copy = std::find_if(out.copies.begin(), out.copies.end(), [&](const WorkspaceCopy& one) {
      return one.order.source == order.source;
    });
    if (copy == out.copies.end()) {
      order.name = first_name;
      if (!out.copies.empty()) order.name += "-" + std::to_string(out.copies.size() + 1);
      copy = out.copies.insert(copy, {order, checked(provider.plan(order))});
    }
    role.image = copy->result.image;
  }
  // The option has one value; the other copies are only the images of their roles.
  if (option != nullptr) cfg.set(option->name, out.copies.front().result.image);
  // The metadata of an app is JSON and must be UTF-8. The run record has the path itself.
  const bool is_utf8 = find_invalid_utf8(out.source) == std::string_view::npos;
  set(app.metadata, kWorkspaceKey, is_utf8 ? out.source : visible_text(out.source));
  return out;
}

RecordedWorkspace recorded_workspace(const AppWorkspace& workspace, const RunOpts& declared) {
  const RunOpt* option = workspace_option(declared);
  RecordedWorkspace out;
  out.provider = workspace.provider;
  out.source = workspace.source;
  out.image = workspace.copies.front().result.image;
  if (option != nullptr) out.option = option->name;
  for (std::size_t i = 1; i < workspace.copies.size(); ++i)
    out.other_images.push_back(workspace.copies[i].result.image);
  return out;
}

void use_recorded_copy(const RecordedWorkspace& workspace, Dict<Value>& options) {
  std::error_code error;
  if (workspace.image.starts_with('/') && !fs::exists(workspace.image, error)) {
    throw Error(Code::kNotFound, "the copy of the workspace, " + workspace.image + ", is gone",
                "--workspace " + workspace.source + " makes another copy");
  }
  if (!workspace.option.empty()) set(options, workspace.option, Value(workspace.image));
}

std::string existing_directory_for(const AppWorkspace& workspace) {
  const std::string path = path_in(workspace.source);
  std::error_code error;
  return fs::is_directory(path, error) ? path : "/";
}

void build_workspace(registry::PluginHost& plugins, const std::string& scheduler,
                     const AppWorkspace& workspace, const slipway_cancel* cancel) {
  const registry::PluginWorkspace provider = plugins.workspace(workspace.provider);
  for (auto copy = workspace.copies.begin(); copy != workspace.copies.end(); ++copy) {
    const std::string& directory = copy->order.directory;
    try {
      // No other user may write to the default directory, because replicas run programs from the
      // copy. A directory that the user chose is not checked: it may belong to a group.
      if (directory == copies_in_state(plugins, scheduler))
        DirectoryMaker("state directory", kStateHint).open_own_levels(directory, {});
      provider.build(copy->order, cancel);
    } catch (...) {
      while (copy != workspace.copies.begin())
        discard_copy(plugins, workspace.provider, (--copy)->result.image);
      throw;
    }
  }
}

void discard_workspace(registry::PluginHost& plugins, const AppWorkspace& workspace) noexcept {
  for (const WorkspaceCopy& copy : workspace.copies)
    discard_copy(plugins, workspace.provider, copy.result.image);
}

void discard_copy(registry::PluginHost& plugins, const std::string& provider,
                  const std::string& image) noexcept {
  try {
    plugins.workspace(provider).discard(image);
  } catch (const std::exception& error) {  // which is not worth more than a warning
    plugins.log(LogLevel::kWarning, "a copy of a workspace stays: " + std::string(error.what()));
  }
}

}  // namespace slipway
