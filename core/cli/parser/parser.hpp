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
  kWarnings,  ///< it shows or ends apps, so errors are only warnings
  kFatal,     ///< it applies the configuration, so it does not run after an error
};

/// The result of parsing: either a text to print (help, version), or a command to run.
struct ParsedCommand {
  GlobalOptions globals;                    ///< from the command line alone
  std::string text;                         ///< for standard output; empty if a command is to run
  std::function<int(Invocation&)> command;  ///< empty if there is a text

  ConfigErrors config_errors = ConfigErrors::kWarnings;
  std::vector<config::Setting> flags;  ///< the options on the command line
  /// Gives each option of the command that is not on the command line the value of its setting, and
  /// returns the global options with their settings. Appends all mistakes in the settings to the
  /// problems.
  std::function<GlobalOptions(const config::Settings&, std::vector<spec::Problem>&)> apply_settings;
};

/// Returns whether `--json` is among the arguments and does not belong to a component. Works also
/// for arguments that parse_arguments() refuses.
bool asks_for_json(const std::vector<std::string>& arguments);

/// Parses the arguments. Throws Error kUsage with a hint for arguments that do not parse.
ParsedCommand parse_arguments(const std::vector<std::string>& arguments);

}  // namespace slipway::cli
