// From the text of `--workspace` to an app whose roles run in a copy of it.
#pragma once

#include <string>

#include "core/registry/plugin_host.hpp"
#include "slipway/app.hpp"
#include "slipway/app_workspace.hpp"
#include "slipway/run_opts.hpp"

namespace slipway {

/// The app's metadata with this key says which workspace it was started from.
inline constexpr const char* kWorkspaceKey = "slipway.workspace";

/// A workspace as it was typed: whose it is, and where.
struct WorkspaceName {
  std::string provider;  ///< the scheme of a URL, else "dir"
  std::string source;    ///< the URL, or the absolute path
};

/// Throws kUsage for an empty text.
WorkspaceName parse_workspace(const std::string& text);

/// What would be made of the workspace `text` (a path, or a URL whose scheme names the provider;
/// without one it is `dir`) for `app`, and the app and run options that go with it: every role has
/// the copy as its image, the app's metadata names the workspace. The copy goes to the directory in
/// the run option `job_dir` where the scheduler declares that, which then becomes the copy itself;
/// else to `workspaces` below the state directory of `scheduler`. Makes nothing. Throws kNotFound
/// for a provider or a workspace that is not there.
AppWorkspace plan_workspace(registry::PluginHost& plugins, const std::string& text,
                            const std::string& scheduler, const RunOpts& declared, AppDef& app,
                            Cfg& cfg);

/// Makes the copy. `cancel` may be null.
void build_workspace(registry::PluginHost& plugins, const AppWorkspace& workspace,
                     const slipway_cancel* cancel);

/// Takes the copy back; never throws.
void discard_workspace(registry::PluginHost& plugins, const AppWorkspace& workspace) noexcept;

/// A directory that is there, for a scheduler that must see the image before there is a copy: the
/// workspace itself, where it is one of this machine.
std::string stand_in_for(const AppWorkspace& workspace);

/// `app` with another image for every role.
AppDef with_image(AppDef app, const std::string& image);

}  // namespace slipway
