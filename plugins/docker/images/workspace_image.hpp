// Images that were built from workspaces: their names, their labels, and their removal.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "plugins/docker/engine/engine.hpp"
#include "plugins/docker/request/container_plan.hpp"
#include "slipway/app.hpp"
#include "slipway/host.hpp"

namespace slipway::docker {

/// The labels of an image that was built from a workspace: the user who built it, and the image
/// below the workspace, if there is one.
///
/// Rationale: every build of a workspace has the same labels. With labels that differ, the engine
/// would not find an equal image in its cache.
inline constexpr const char* kWorkspaceLabel = "org.slipway.workspace";
inline constexpr const char* kBaseLabel = "org.slipway.workspace-base";

/// Returns the name for `tag`: "slipway-workspace:TAG". Replaces characters that a tag cannot have
/// with '-', keeps only the last 128 characters, and replaces a first character that a tag cannot
/// begin with by '_'. An empty tag becomes "_".
std::string workspace_image_name(std::string tag);
/// Returns whether workspace_image_name() may have made the name.
bool is_workspace_image(std::string_view name);
/// Returns whether the image is named by its id, "sha256:...", which no registry knows.
bool is_image_id(std::string_view image);
/// Returns the value of kWorkspaceLabel for this user.
std::string workspace_owner();

/// Returns the id of an image of a workspace; nullopt if the engine does not have the image, or
/// if the image lacks kWorkspaceLabel. Throws the engine's error.
std::optional<std::string> find_workspace_image(const Engine& engine, const std::string& name,
                                                const Call& call);

/// Returns the image on which to build another workspace. For an image of a workspace, given by
/// name or id, that is the image below the workspace, so the new workspace replaces the old one.
/// For any other image, and if the workspace has no image below it, returns `image` itself. Throws
/// the engine's error.
std::string base_of(const Engine& engine, const std::string& image, const Call& call);

/// Replaces the names of images of workspaces in the app and its containers by the images' ids, so
/// that a later change of a name has no effect. Throws Error kNotFound for an image that the engine
/// does not have.
void use_image_ids(const Engine& engine, AppDef& app, AppPlan& plan, const Call& call);

/// Removes the name, and the image if that was its only name. Keeps an image that a container uses
/// or that lacks kWorkspaceLabel. Does nothing for a name that is not is_workspace_image(). Throws
/// the engine's error.
void remove_workspace_image(const Engine& engine, const std::string& name, const Call& call);

/// Removes the images of this user's workspaces that no container uses and that got their names
/// more than a day ago. Commands that died between the build and the submission leave such images.
/// Never throws.
void remove_forgotten_images(const Engine& engine, const Call& call) noexcept;

}  // namespace slipway::docker
