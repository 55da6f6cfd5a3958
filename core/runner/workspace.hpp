// Makes the copy of a workspace (`--workspace`) that an app runs in.
#pragma once

#include <string>

#include "core/registry/plugin_host.hpp"
#include "slipway/app.hpp"
#include "slipway/app_workspace.hpp"
#include "slipway/run_opts.hpp"
#include "slipway/run_record.hpp"

namespace slipway {

/// A workspace as the user named it.
struct WorkspaceName {
  std::string provider;  ///< the scheme of a URL, else "dir"
  std::string source;    ///< the URL, or the absolute path
};

/// Parses a path, or a URL whose scheme names the provider. Throws kUsage for an empty text.
WorkspaceName parse_workspace(const std::string& text);

/// Returns the run option for the directory of the copies (OptMeaning::kWorkspaceDir), or nullptr.
const RunOpt* workspace_option(const RunOpts& declared);

/// Plans the copies of the workspace `text` for `app`, without making them: mostly one; see
/// AppWorkspace. Changes `app`, so that every role has a copy as its image and the metadata names
/// the workspace. For a directory, the provider is that of the form which the manifest of
/// `scheduler` has for workspaces (workspace_url.hpp), else `dir`. The form also replaces a URL of
/// its provider without a query.
///
/// If the scheduler declares a run option for the directory of the copies
/// (OptMeaning::kWorkspaceDir) and the option has a value, a copy will be in that directory.
/// Otherwise it will be in `workspaces` in the state directory of `scheduler`. In both cases, `cfg`
/// gets the path of the first copy as the value of the option, if the scheduler declares it. Throws
/// kNotFound for an unknown provider or a missing workspace, kInvalid if the path of a copy is not
/// UTF-8, and as parse_workspace() and workspace_url() do.
AppWorkspace plan_workspace(registry::PluginHost& plugins, const std::string& text,
                            const std::string& scheduler, const RunOpts& declared, AppDef& app,
                            Cfg& cfg);

/// Returns what the run record says about the workspace.
RecordedWorkspace recorded_workspace(const AppWorkspace& workspace, const RunOpts& declared);

/// Lets an app that runs again run in the recorded copy of its workspace: its roles already have
/// the copies as their images, and `options` gets the run option for the copy. Throws kNotFound if
/// the copy was deleted.
void use_recorded_copy(const RecordedWorkspace& workspace, Dict<Value>& options);

/// Makes the copies for a scheduler, all or none. Borrows `cancel`, which may be null. Throws
/// kCantCreate if another user may write to `workspaces` in the state directory.
void build_workspace(registry::PluginHost& plugins, const std::string& scheduler,
                     const AppWorkspace& workspace, const slipway_cancel* cancel);

/// Removes the copies. Never throws.
void discard_workspace(registry::PluginHost& plugins, const AppWorkspace& workspace) noexcept;

/// Removes the copy `image` of a provider. Never throws.
void discard_copy(registry::PluginHost& plugins, const std::string& provider,
                  const std::string& image) noexcept;

/// Returns an existing directory for a scheduler that inspects the image before the copy exists:
/// the workspace itself if it is a local directory, otherwise "/".
std::string existing_directory_for(const AppWorkspace& workspace);

/// Returns `app` with the image `image` for every role.
AppDef with_image(AppDef app, const std::string& image);

}  // namespace slipway
