// Reading all layers.
#pragma once

#include <sys/stat.h>

#include <functional>
#include <string>
#include <vector>

#include "core/config/config_file.hpp"
#include "core/config/settings.hpp"
#include "core/config/sources.hpp"

namespace slipway::config {

struct Loaded {
  Settings settings;
  std::vector<Source> sources;        ///< highest precedence first, with what became of each
  std::vector<std::string> profiles;  ///< that files have, sorted
  SiteRules site;
  /// Everything that is wrong, errors and warnings. A file that was found by its place, and that is
  /// not trusted, not a regular file or cannot be read, is a warning and does not count: another
  /// user of a shared directory must not stop the commands of everybody below it. The site's file
  /// is the exception: without it all of its locks would be gone, so that it is an error.
  std::vector<spec::Problem> problems;

  /// Throws InvalidApp with all problems when one is an error: its code is that of the errors when
  /// they agree (kConfig, kNotFound for a named file or profile that does not exist, kDenied), else
  /// kConfig.
  void throw_if_errors() const;
};

/// Throws Error(kDenied) when a file, whose status is `st`, must not steer this process. Empty:
/// every file may. `site` is what the site's file said, which is read first.
using TrustCheck =
    std::function<void(const Source& source, const struct stat& st, const SiteRules& site)>;

/// Reads the files of `places`, the SLIPWAY_* variables (variables.hpp) and puts `flags` (layer
/// kFlag) on top. Never throws for what is in files and variables.
Loaded load(const Places& places, std::vector<Setting> flags = {}, const TrustCheck& trusted = {});

}  // namespace slipway::config
