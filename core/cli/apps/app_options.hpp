// The run options of a run: those of the app file ([options.SCHEDULER]), and those of all sources.
#pragma once

#include <string>
#include <vector>

#include "core/cli/invocation/invocation.hpp"
#include "core/config/setting.hpp"
#include "core/spec/app_file.hpp"
#include "slipway/app.hpp"

namespace slipway::cli {

/// The file of an app, and the places of its run options and roles; empty for an app without a
/// file, such as a recorded app.
struct AppOrigin {
  std::string source;  ///< the path of the file
  std::vector<spec::OptionPlace> options = {};
  std::vector<spec::RoleMarks> roles = {};  ///< parallel to the app's roles
};

/// Returns the run options in the metadata of the app ("slipway.options.SCHEDULER") as settings of
/// the layer kApp, those of every scheduler (`"*"`) first. Expands `~` and variables in paths.
/// Throws Error kInvalid for metadata that is not the text of a JSON object.
std::vector<config::Setting> app_settings(const AppDef& app, const AppOrigin& origin);

/// The run options that the command itself gives, apart from those of the configuration and the app
/// file.
struct CommandOptions {
  std::string scheduler;
  Dict<Value> values;              ///< of `run --stdin`, or recorded
  bool recorded = false;           ///< `values` are recorded: the command repeats a run
  std::vector<std::string> words;  ///< of `-c`; they win over `values`
  std::string directory = {};      ///< where relative paths in `words` start; empty: as they are
  /// KEY=VALUE of `--set`. They are in the app already, and only let messages about the keys of
  /// roles name `--set`.
  std::vector<std::string> fields = {};
};

/// The run options of all sources, and the origin of each option that is not a default.
struct CollectedOptions {
  Dict<Value> values;
  /// By option: `-c`, `stdin`, `recorded`, `the app NAME`, a variable, or a place in a file.
  StrDict origins;
};

/// Returns the run options of the configuration, the app and the command. Prints warnings for
/// unknown options of configuration files and variables and for misspelt names of schedulers, and
/// those of options_from_words(). Throws InvalidApp for values of a wrong type, for unknown options
/// of the app file outside [options."*"], when the options break a rule of the site, and when the
/// site does not allow the scheduler. A rule about an option, such as a limit of `timeout_s`, also
/// holds for a role's key of that name. Also throws as app_settings(), configured_options() and
/// options_from_words().
CollectedOptions collect_options(Invocation& invocation, const AppDef& app, const AppOrigin& origin,
                                 const CommandOptions& command);

}  // namespace slipway::cli
