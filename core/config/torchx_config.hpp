// A .torchxconfig as settings, so that a TorchX project works as it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/config/ini_file.hpp"
#include "core/config/setting.hpp"

namespace slipway::config {

/// One [PREFIX:NAME] section with the values that it has, those of [DEFAULT] included.
struct PrefixedSection {
  std::string name;
  std::vector<Setting> options;  ///< key.option and the value; section and name are the caller's
};

/// The sections [PREFIX:NAME] of the file, neither part empty; NAME may hold further colons. Values
/// whose `%` cannot be resolved have a `defect`.
std::vector<PrefixedSection> prefixed_sections(const IniFile& ini, std::string_view prefix,
                                               const std::string& file);

/// [NAME] becomes `scheduler.NAME`, [component:NAME] `component.NAME`, [cli:COMMAND] `cli.COMMAND`
/// with '-' for '_' in options. [torchx:…], [tracker:…] and other prefixes mean nothing here and
/// are left out.
std::vector<Setting> torchx_settings(const IniFile& ini, const std::string& file);

}  // namespace slipway::config
