// Which files are configuration here, before any of them is read.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/config/layer.hpp"

namespace slipway::config {

/// The value of an environment variable, nullptr when it is not set.
using Variables = std::function<const char*(const char* name)>;

/// Variables of this process; none with elevated privileges.
Variables process_variables();

enum class SourceState {
  kUnread,   ///< a name that has not been looked at
  kRead,     ///< its settings count
  kMissing,  ///< there is no such file
  kIgnored,  ///< it is there and does not count; `why`
  kBroken,   ///< it is there and cannot be used: an error; `why`
};

/// "found", "does not exist", "ignored", "error".
const char* to_string(SourceState state);

struct Source {
  Layer layer = Layer::kSite;
  std::string path;
  /// Who named it, so that it has to exist: "--config", "SLIPWAY_CONFIG", "TORCHXCONFIG"; empty
  /// when it was found by its place.
  std::string asked_by;
  SourceState state = SourceState::kUnread;
  std::string why;
};

struct Places {
  std::string site_file = "/etc/slipway/config.toml";
  std::string flag_file;          ///< --config; empty: not given
  std::string working_directory;  ///< empty: that of the process
  /// More privileges than the caller has (AT_SECURE): only the site's file and --config count.
  bool elevated = false;
  Variables variable = process_variables();
};

/// Returns the possible files, highest precedence first. `slipway.toml`: all from the working
/// directory upwards, the nearest first, of which load() keeps those up to the first that it can
/// use; or where the nearest would be when there is none. `.torchxconfig`: the home's and the
/// working directory's, or the one that TORCHXCONFIG names. Only looks for names; opens nothing.
std::vector<Source> sources(const Places& places);

}  // namespace slipway::config
