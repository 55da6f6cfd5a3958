// The places that may hold manifests, in order of precedence, each with its state.
#pragma once

#include <string>
#include <vector>

#include "slipway/plugin_search.hpp"

namespace slipway::registry {

/// The origin of a place. Earlier origins take precedence.
enum class Origin {
  kFlag,    ///< --plugin-path
  kEnv,     ///< SLIPWAY_PLUGIN_PATH
  kUser,    ///< plugins.d in $XDG_CONFIG_HOME/slipway, else in ~/.config/slipway
  kSite,    ///< plugins.d in /etc/slipway, for this machine
  kShared,  ///< for all versions of this installation
  kVendor,  ///< part of this version
};

/// Returns "flag", "env", "user", "site", "shared", "vendor".
const char* to_string(Origin origin);

/// One place of the search path. Places that are not searched are included, because error messages
/// list all places with their states.
struct SearchEntry {
  /// A directory or file. If the place has no path, a text for messages, such as the variable's
  /// name.
  std::string path;
  Origin origin = Origin::kVendor;
  /// "searched", "not set", "not set: <why>", "does not exist", "ignored: <why>" or "refused:
  /// <why>". "searched" for usable places; read_manifest_texts() changes it if the place does not
  /// exist, cannot be read, is not trusted, or is a directory that it has read before. It also
  /// reads the `resources.d` beside each directory.
  std::string state = "searched";
  bool usable = true;  ///< false: must not be opened; `state` has the reason
};

using slipway::SearchOptions;

/// Returns whether the kernel started this process with more privileges than its caller has
/// (setuid, setgid, capabilities).
bool process_is_elevated();

/// Returns the installation prefix of the running executable, such as "/usr"; empty without /proc.
std::string executable_prefix();

/// Returns the search path: flag, SLIPWAY_PLUGIN_PATH, user ($XDG_CONFIG_HOME or ~/.config), site,
/// shared (`etc/slipway` beside the prefix: an upgrade replaces the prefix, but not this folder),
/// vendor. Opens no file.
///
/// With elevated privileges, the environment and the user's directory are ignored; with
/// --no-plugins or SLIPWAY_NO_PLUGINS=1, everything except the vendor's place and
/// `checked_manifest`. Ignored places are in the result, with the reason. The paths of usable
/// places are absolute, as `site_dir` must be, unless the working directory was deleted. Never
/// throws because of the environment.
std::vector<SearchEntry> search_path(const SearchOptions& options);

/// Returns the path of the `resources.d` beside a `plugins.d`.
std::string resources_dir_of(const std::string& plugins_dir);

}  // namespace slipway::registry
