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

/// A user or a group, by name or by number.
struct AccountName {
  std::string name;
  spec::Position where;
};

/// What only the site's file says.
struct SiteRules {
  std::vector<Limit> limits;
  std::vector<AccountName> trusted_owners;  ///< users whose files are used as root's are
  std::vector<AccountName> trusted_groups;  ///< groups that may write to files that are used
};

struct FileContent {
  std::vector<Setting> settings;  ///< in the order of the file, with those of profiles
  std::vector<ProfileName> profiles;
  SiteRules site;
};

/// Reads `text`, whose positions get the name `file`. Sections: [scheduler.NAME], [component.NAME],
/// [plugins.ID], [cli], [cli.COMMAND] and these below [profile.NAME]; `profile = "NAME"` is `[cli]
/// profile`. The site's file may have all but components below [site.locked], cli and scheduler
/// below [site.allowed], scheduler below [site.minimum] and [site.maximum], and lists of users and
/// groups in [site].
///
/// What is wrong is appended to `problems` (kConfig): text that is not TOML, unknown tables, values
/// where tables belong. Names of schedulers, components, commands and options are not looked at:
/// they are for who knows them. Never throws for what the text holds.
FileContent read_config(std::string_view text, const std::string& file, Layer layer,
                        std::vector<spec::Problem>& problems);

}  // namespace slipway::config
