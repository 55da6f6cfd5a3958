// Where a program looks for plug-ins.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slipway {

/// What decides the search path for manifests: `plugin_path`, SLIPWAY_PLUGIN_PATH, the user's directory, `site_dir`, what
/// lies beside `prefix` (`etc/slipway`), and what was installed under `prefix`. The defaults are those of the command
/// `slipway`.
struct SearchOptions {
  std::vector<std::string> plugin_path;  ///< directories or manifest files, first wins
  bool no_plugins = false;               ///< only what was installed under `prefix`
  /// Installation prefix; empty: the parent of the directory that holds this executable (/proc/self/exe). A program that
  /// is not installed with Slipway names it: the CMake package defines SLIPWAY_PREFIX for that.
  std::string prefix;
  std::string site_dir = "/etc/slipway/plugins.d";
  /// Runs with privileges that the user lacks; unset: what the kernel says (AT_SECURE).
  std::optional<bool> elevated;
  std::vector<std::uint32_t> trusted_owners;  ///< users whose files are used as root's are
  std::vector<std::uint32_t> trusted_groups;  ///< groups that may write to files that are used
};

}  // namespace slipway
