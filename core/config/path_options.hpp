// Settings that hold paths: `~` and variables of the environment in them.
#pragma once

#include "core/config/setting.hpp"
#include "core/config/sources.hpp"

namespace slipway::config {

/// Expands the value of a setting that holds a path (spec::is_path_option(), the workspace of a
/// command) in place: `~` and `~/` at its start are the home directory, `$NAME` and `${NAME}` are
/// variables of the environment, `$$` is a dollar sign. HOME and USER are those of the account
/// where the environment has none. What cannot be expanded becomes the setting's defect. Other
/// settings stay as they are. Each item of a list is a path.
void expand_paths(Setting& setting, const Variables& variable);

}  // namespace slipway::config
