// The INI dialect of .torchxconfig. Semantics: Python's configparser with its defaults, but names
// of options keep their case, as TorchX has it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/spec/problem.hpp"
#include "slipway/dict.hpp"

namespace slipway::config {

struct IniOption {
  std::string name;
  std::string
      value;  ///< as written: `%` is not interpolated yet; continuation lines joined by '\n'
  spec::Mark at;
};

struct IniSection {
  std::string name;
  std::vector<IniOption> options;

  const IniOption* find(std::string_view name) const;
};

struct IniFile {
  IniSection defaults;  ///< [DEFAULT]: in every section, where it has none of that name
  std::vector<IniSection> sections;

  const IniSection* find(std::string_view name) const;
};

/// Throws InvalidApp (kConfig) with every problem of the text: an option before the first section,
/// a section or option twice, a line that is no option, bytes that are no text.
IniFile parse_ini(std::string_view text, const std::string& file);

/// `raw`, a value of `section`, with `%%` and `%(name)s` resolved, names being options of the
/// section and of [DEFAULT]. Throws Error kConfig for any other '%', an unknown name and a circle
/// of names.
std::string interpolated(const IniFile& file, const IniSection& section, const std::string& raw);

}  // namespace slipway::config
