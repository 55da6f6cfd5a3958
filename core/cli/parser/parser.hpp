// Parses the arguments of a call into the command to run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/cli/commands/commands.hpp"

namespace slipway::cli {

/// The effect of errors in configuration files on a command.
enum class ConfigErrors {
  kNotRead,   ///< it reads no configuration
  kReported,  ///< it reports the errors itself, and runs in any case
  kWarnings,  ///< it prints errors as warnings and runs: it shows or ends apps, or lists plug-ins
  kFatal,     ///< it applies or shows the configuration, so it does not run
};

/// The result of parsing: either a text to print (help, version), or a command to run.
struct ParsedCommand {
  GlobalOptions globals;                    ///< from the command line alone
  std::string text;                         ///< for standard output; empty if a command is to run
  std::function<int(Invocation&)> command;  ///< empty if there is a text

  ConfigErrors config_errors = ConfigErrors::kWarnings;
  std::vector<config::Setting> flags;  ///< the options on the command line
  /// Sets each option that is not on the command line to the value of its setting. Returns the
  /// global options with their settings. Appends all mistakes in the settings to the problems.
  std::function<GlobalOptions(const config::Settings&, std::vector<spec::Problem>&)> apply_settings;
};

/// Returns whether the last `--json` or `--json=VALUE` among the arguments that belongs to no
/// component is on. Also works for arguments that parse_arguments() refuses.
bool asks_for_json(const std::vector<std::string>& arguments);

/// Parses the arguments. Throws Error kUsage with a hint for arguments that cannot be parsed.
ParsedCommand parse_arguments(const std::vector<std::string>& arguments);

}  // namespace slipway::cli
