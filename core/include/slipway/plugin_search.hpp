// Configures where a program searches for plug-ins.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slipway {

/// The search path for manifests, in this order: `plugin_path`, SLIPWAY_PLUGIN_PATH, the user's
/// directory, `site_dir`, `etc/slipway` beside `prefix`, and the installation under `prefix`. The
/// defaults are those of the command `slipway`.
struct SearchOptions {
  std::vector<std::string> plugin_path;  ///< directories or manifest files, first wins
  /// Searches only the installation under `prefix`, as SLIPWAY_NO_PLUGINS=1 also does.
  bool no_plugins = false;
  /// A manifest file that precedes `plugin_path`, also if only the installation is searched: a file
  /// that is being checked. Empty: none.
  std::string checked_manifest;
  /// The installation prefix. If empty, the parent of the directory of this executable
  /// (/proc/self/exe). A program that is installed elsewhere must set it; the CMake package defines
  /// SLIPWAY_PREFIX for this purpose.
  std::string prefix;
  std::string site_dir = "/etc/slipway/plugins.d";  ///< an absolute path
  /// Whether the process has privileges that the user lacks, so that the search ignores the
  /// environment and the user's directory. If unset, the kernel decides (AT_SECURE).
  std::optional<bool> elevated;
  std::vector<std::uint32_t> trusted_owners;  ///< users whose files are trusted like root's
  /// Groups that may have write access to trusted files.
  std::vector<std::uint32_t> trusted_groups;
};

}  // namespace slipway
