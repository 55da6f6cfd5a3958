// Reads all layers of the configuration.
#pragma once

#include <sys/stat.h>

#include <functional>
#include <string>
#include <vector>

#include "core/config/config_file.hpp"
#include "core/config/settings.hpp"
#include "core/config/sources.hpp"

namespace slipway::config {

/// The configuration of one command.
struct Loaded {
  Settings settings;
  std::vector<Source> sources;        ///< highest precedence first, each with its state
  std::vector<std::string> profiles;  ///< of all files, sorted
  SiteRules site;
  /// All errors and warnings. If a file was found by its place, and is untrusted, unreadable, too
  /// large, not a regular file, or behind a link whose target does not exist, it is ignored with a
  /// warning, because another user of a shared directory must not be able to make commands fail.
  /// The site's file is an exception: a problem with it is an error, because without the file its
  /// locks would have no effect; so is a file in place of one of its directories. A temporary
  /// failure (kTemporary) to read any file is an error as well.
  std::vector<spec::Problem> problems;

  /// Throws InvalidApp with all problems if one of them is an error. The code of the exception is
  /// that of the errors (kConfig, kDenied, kTemporary, or kNotFound for a missing named file or
  /// profile) if all errors have the same code, otherwise kConfig.
  void throw_if_errors() const;
};

/// Throws Error(kDenied) if a file, whose status is `st`, is not trusted. An empty function trusts
/// every file. `site` has the rules of the site's file, which is read first.
using TrustCheck =
    std::function<void(const Source& source, const struct stat& st, const SiteRules& site)>;

/// Reads the files of `places` and, unless `places.elevated`, the SLIPWAY_* variables, and adds
/// `flags` (layer kFlag). The variables are SLIPWAY_SCHEDULER (`cli.run.scheduler`),
/// SLIPWAY_SESSION (`cli.session`), SLIPWAY_PROFILE (`cli.profile`), SLIPWAY_LOG_LEVEL
/// (`cli.log-level`) and SLIPWAY_CFG (`cfg`); an empty one counts as not set.
/// Never throws because of files and variables.
Loaded load(const Places& places, std::vector<Setting> flags = {},
            const TrustCheck& check_trust = {});

}  // namespace slipway::config
