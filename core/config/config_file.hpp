// Reads one configuration file (TOML).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/config/setting.hpp"

namespace slipway::config {

/// A user or a group, by name or by number.
struct AccountName {
  std::string name;
  spec::Position where;
};

/// The rules that only the site's file may contain.
struct SiteRules {
  std::vector<Limit> limits;
  std::vector<AccountName> trusted_owners;  ///< users whose files are trusted like root's
  std::vector<AccountName> trusted_groups;  ///< groups that may write to trusted files
};

/// The content of one file.
struct FileContent {
  std::vector<Setting> settings;      ///< in the order of the file, including those of profiles
  std::vector<std::string> profiles;  ///< names of the [profile.NAME] tables, even of empty ones
  SiteRules site;
};

/// Reads `text`; positions refer to `file`. The sections are [scheduler.NAME], [component.NAME],
/// [plugins.ID], [tracker.NAME], [cli] and [cli.COMMAND], all of them also below [profile.NAME].
/// `profile = "NAME"` is short for `[cli] profile`. The site's file may also have [site]: below
/// [site.locked], the sections cli, plugins and scheduler; below [site.allowed], cli and scheduler;
/// below [site.minimum] and [site.maximum], scheduler; and lists of trusted users and groups.
///
/// A table `config` of a plug-in has a setting for each of its values, at any depth; an empty table
/// is a value.
///
/// Appends to `problems` (kConfig): syntax errors, unknown tables, values in place of tables,
/// [site] in another file than the site's, and unknown keys and wrong types in [plugins], [tracker]
/// and [site]. Does not check the names of schedulers, components, commands and options. Never
/// throws because of the text.
FileContent read_config(std::string_view text, const std::string& file, Layer layer,
                        std::vector<spec::Problem>& problems);

}  // namespace slipway::config
