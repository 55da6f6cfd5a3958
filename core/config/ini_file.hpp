// Reads .torchxconfig, an INI file. The rules are those of Python's configparser, but option names
// keep their case, as in TorchX.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/spec/problem.hpp"
#include "slipway/dict.hpp"

namespace slipway::config {

struct IniOption {
  std::string name;
  std::string value;  ///< before interpolation of `%`; continuation lines joined with '\n'
  spec::Mark at;      ///< place of the name
};

struct IniSection {
  std::string name;
  std::vector<IniOption> options;

  /// Returns the option, or nullptr.
  const IniOption* find(std::string_view name) const;
};

struct IniFile {
  IniSection defaults;  ///< [DEFAULT]: options for sections that do not have them
  std::vector<IniSection> sections;

  /// Returns the section, or nullptr.
  const IniSection* find(std::string_view name) const;
};

/// Parses `text`. Throws InvalidApp (kConfig) with all errors: an option before the first section,
/// a repeated section or option, a line that is not an option, or bytes that are not text.
IniFile parse_ini(std::string_view text, const std::string& file);

/// Returns `raw`, a value of `section`, with each `%%` and `%(name)s` replaced; `name` is an option
/// of the section or of [DEFAULT]. Throws Error(kConfig) for any other '%', for an unknown name,
/// for names that refer to each other in a cycle or in a chain of 10 or more, and for a value of
/// more than 1 MiB.
std::string interpolated(const IniFile& file, const IniSection& section, const std::string& raw);

}  // namespace slipway::config
