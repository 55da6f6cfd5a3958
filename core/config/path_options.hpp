// Expands `~` and environment variables in settings that are paths.
#pragma once

#include "core/config/setting.hpp"
#include "core/config/sources.hpp"

namespace slipway::config {

/// Expands the value of a setting that is a path or a list of paths: an option of
/// spec::is_path_option(), or the workspace of a command. Replaces a `~` that is the whole value or
/// precedes a `/` with the home directory, `$NAME` and `${NAME}` with environment variables, and
/// `$$` with a dollar sign. An empty variable counts as not set. If HOME or USER is not set, uses
/// the password database. An error, such as `~ada` or a variable that is not set, becomes the
/// setting's defect. Leaves other settings unchanged.
///
/// In a .torchxconfig, the value is expanded before it is split at `;`: a `;` in a variable
/// separates items of a list, and each part after a `;` may begin with `~`, even if the option is
/// not a list.
///
/// In the site's file, USER is the name of the effective user in the password database, so that a
/// user's environment (of `su`, for example) never selects the directory of another user. If the
/// database does not know that user, or in a user namespace, it is the variable.
void expand_paths(Setting& setting, const Variables& of_process);

}  // namespace slipway::config
