// Where manifests are looked for, in order of precedence, and what became of each place.
#pragma once

#include <string>
#include <vector>

#include "slipway/plugin_search.hpp"

namespace slipway::registry {

/// Which layer named a place. The order is the precedence: an earlier layer wins.
enum class Origin {
  kFlag,
  kEnv,
  kUser,
  kSite,    ///< of this machine
  kShared,  ///< of every version of this installation
  kVendor,  ///< of this version
};

/// "flag", "env", "user", "site", "shared", "vendor".
const char* to_string(Origin origin);

/// One place of the search path, also where it was not searched: an error message lists them all
/// with their state.
struct SearchEntry {
  std::string path;  ///< a directory or a manifest file; the variable's name while that is not set
  Origin origin = Origin::kVendor;
  /// "searched", "not set", "does not exist", "ignored: <why>" or "refused: <why>". Entries start
  /// as "searched" and the index corrects those that turn out not to exist or not to be
  /// trustworthy.
  std::string state = "searched";
  bool usable = true;  ///< false: not to be opened; `state` says why
};

using slipway::SearchOptions;

/// True when the kernel started this process with more privileges than its caller has (setuid,
/// setgid, capabilities).
bool process_is_elevated();

/// The installation prefix of the running executable, e.g. "/usr"; empty when /proc is not there.
std::string executable_prefix();

/// Returns the search path: flag, SLIPWAY_PLUGIN_PATH, user ($XDG_CONFIG_HOME or ~/.config), site,
/// shared (`etc/slipway` beside the prefix, which an upgrade leaves alone), vendor. Touches no file
/// of it.
///
/// Elevated privileges drop the environment and the user's directory; --no-plugins and
/// SLIPWAY_NO_PLUGINS=1 leave only the vendor's. What is dropped stays in the list with its reason.
/// Relative paths are made absolute. Never throws for what the environment holds.
std::vector<SearchEntry> search_path(const SearchOptions& options);

/// The `resources.d` that lies beside a `plugins.d`: same parent directory, same grammar.
std::string resources_dir_of(const std::string& plugins_dir);

}  // namespace slipway::registry
