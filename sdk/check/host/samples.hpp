// Inputs that the kit makes up.
#pragma once

#include <string>
#include <string_view>

#include "sdk/check/trial/check.hpp"
#include "slipway/app.hpp"
#include "slipway/options.hpp"

namespace slipway::check {

/// The id of an app that no scheduler knows.
inline constexpr std::string_view kNoSuchApp = "slipway-plugin-check-no-such-app";

/// Returns the app for schedulers without --app: two roles with the image `image`, and with values
/// that a careless plug-in loses, such as an empty argument. Has no mounts, which some
/// schedulers refuse.
AppDef built_in_app(const std::string& image);

/// Returns the image of --image, or else one that exists if images are directories. Providers of
/// other kinds of images may refuse it with a message.
std::string sample_image(const Trial& trial);

/// Returns a read-only bind mount of `directory`.
Mount sample_mount(const std::string& directory);

/// Returns a value of the type, for an option or parameter without a default.
Value sample_value(ValueType type);

/// Makes a small workspace below the directory, and returns its path.
std::string sample_workspace(const std::string& directory);

}  // namespace slipway::check
