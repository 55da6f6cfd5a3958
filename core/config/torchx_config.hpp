// Converts a .torchxconfig to settings, so that TorchX projects work unchanged.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/config/ini_file.hpp"
#include "core/config/setting.hpp"

namespace slipway::config {

/// One [PREFIX:NAME] section with its values, including those of [DEFAULT].
struct PrefixedSection {
  std::string name;
  std::vector<Setting> options;  ///< with key.option and value; the caller sets section and name
};

/// Returns the sections [PREFIX:NAME] of the file. Neither part is empty; NAME may contain colons.
/// A value with an invalid `%` has a `defect`.
std::vector<PrefixedSection> prefixed_sections(const IniFile& ini, std::string_view prefix,
                                               const std::string& file);

/// Returns the settings of the file. [NAME] becomes `scheduler.NAME`, [component:NAME]
/// `component.NAME`, and [cli:COMMAND] `cli.COMMAND`, with '-' in place of '_' in options. Each
/// name in [torchx:tracker], whose value there is ignored, becomes `tracker.NAME.config`, with the
/// value of `config` in [tracker:NAME], or an empty text if there is none. A section gets each
/// option of [DEFAULT] that it does not have itself. Omits sections with other prefixes.
std::vector<Setting> torchx_settings(const IniFile& ini, const std::string& file);

}  // namespace slipway::config
