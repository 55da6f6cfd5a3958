// Lists the files that may contain configuration, without reading them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/config/setting.hpp"

namespace slipway::config {

/// Returns the value of an environment variable, or nullptr if it is not set.
using Variables = std::function<const char*(const char* name)>;

/// Returns a function for the variables of this process; with elevated privileges, none is set.
Variables process_variables();

enum class SourceState {
  kUnread,   ///< not read yet
  kRead,     ///< its settings are used
  kMissing,  ///< the file does not exist
  kIgnored,  ///< the file is ignored; `why` has the reason
  kBroken,   ///< the file has an error; `why` has the reason
};

/// Returns "found", "does not exist", "ignored" or "error".
const char* to_string(SourceState state);

struct Source {
  Layer layer = Layer::kSite;
  std::string path;
  /// The option or variable that names the file, which must exist then: "--config",
  /// "SLIPWAY_CONFIG" or "TORCHXCONFIG". Empty for a file that is found by its place.
  std::string asked_by;
  SourceState state = SourceState::kUnread;
  /// The reason for kIgnored or kBroken, or for kMissing if `asked_by` is not empty. If the content
  /// of the file has mistakes, it is the first mistake with its place. The place begins with
  /// visible_line(path) (slipway/visible_text.hpp).
  std::string why;
};

/// The places to search.
struct Places {
  std::string site_file = "/etc/slipway/config.toml";
  std::string flag_file;          ///< value of --config, or empty
  std::string working_directory;  ///< if empty, that of the process
  /// Whether the process has more privileges than its caller (AT_SECURE). Then only the site's file
  /// and --config are used.
  bool elevated = false;
  Variables variable = process_variables();
};

/// Returns the possible files, highest precedence first. Includes each `slipway.toml` from the
/// working directory upwards, nearest first, of which load() uses the first that it does not
/// ignore; if there is none, the path in the working directory. Includes the `.torchxconfig` of the
/// home directory and then that of the working directory, or only the one that TORCHXCONFIG names.
/// Opens no file.
std::vector<Source> sources(const Places& places);

}  // namespace slipway::config
