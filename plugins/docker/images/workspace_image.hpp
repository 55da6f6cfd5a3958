// Images that were built of workspaces: their names, their labels, and how they end.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "plugins/docker/engine/engine.hpp"
#include "plugins/docker/request/container_plan.hpp"
#include "slipway/app.hpp"
#include "slipway/host.hpp"

namespace slipway::docker {

/// The labels of an image that was built of a workspace: the user who built it, and the image below
/// the workspace, if there is one. They do not differ from build to build, because the engine would
/// not find an equal image in its cache then.
inline constexpr const char* kWorkspaceLabel = "org.slipway.workspace";
inline constexpr const char* kBaseLabel = "org.slipway.workspace-base";

/// Returns the name for `tag`: "slipway-workspace:TAG", with '-' for characters that a tag cannot
/// have, and without the start of a long one.
std::string workspace_image_name(std::string tag);
/// Returns whether workspace_image_name() may have made the name.
bool is_workspace_image(std::string_view name);
/// Returns whether the image is named by its id, "sha256:...", which no registry knows.
bool is_image_id(std::string_view image);
/// Returns the value of kWorkspaceLabel for this user.
std::string workspace_owner();

/// Returns the id of an image of a workspace; nullopt if the engine does not have it. Throws the
/// engine's error.
std::optional<std::string> find_workspace_image(const Engine& engine, const std::string& name,
                                                const Call& call);

/// Returns the image below the workspace for an image of a workspace, by its name or id, so that
/// another workspace replaces the first one; `image` itself for any other. Throws the engine's
/// error.
std::string base_of(const Engine& engine, const std::string& image, const Call& call);

/// Names images of workspaces by their ids in the app and its containers, so that a name that moves
/// later changes nothing. Throws Error kNotFound for one that the engine does not have.
void use_image_ids(const Engine& engine, AppDef& app, AppPlan& plan, const Call& call);

/// Removes the name, and the image if it has no other. Leaves an image that a container uses, and
/// images without the label. Throws the engine's error.
void remove_workspace_image(const Engine& engine, const std::string& name, const Call& call);

/// Removes the images of this user's workspaces that no container uses and that were named more
/// than a day ago: those of commands that died between the build and the submission. Never throws.
void remove_forgotten_images(const Engine& engine, const Call& call) noexcept;

}  // namespace slipway::docker
