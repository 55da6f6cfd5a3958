// The settings in one configuration file, TOML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/config/setting.hpp"

namespace slipway::config {

/// A profile that a file has a table for, even an empty one.
struct ProfileName {
  std::string name;
  Layer layer = Layer::kDefault;
};

struct FileContent {
  std::vector<Setting> settings;  ///< in the order of the file; those of profiles, too
  std::vector<ProfileName> profiles;
};

/// Reads `text`, whose positions get the name `file`. Sections: [scheduler.NAME], [component.NAME],
/// [plugins.ID], [cli], [cli.COMMAND] and these below [profile.NAME]; `profile = "NAME"` is `[cli] profile`. The site's
/// file may have all but components below [site.locked].
///
/// What is wrong is appended to `problems` (kConfig): text that is not TOML, unknown tables, values
/// where tables belong. Names of schedulers, components, commands and options are not looked at:
/// they are for who knows them. Never throws for what the text holds.
FileContent read_config(std::string_view text, const std::string& file, Layer layer,
                        std::vector<spec::Problem>& problems);

}  // namespace slipway::config
