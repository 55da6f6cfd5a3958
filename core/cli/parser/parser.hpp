// From arguments to the command that they ask for.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/cli/commands/commands.hpp"
#include "core/cli/options/cli11_names.hpp"

namespace slipway::cli {

/// What errors in configuration files mean for a command.
enum class ConfigUse {
  kNone,   ///< the command reads no configuration
  kJudge,  ///< the command reports the errors itself and runs in any case
  kLook,   ///< the command shows or ends apps: errors are warnings
  kObey,   ///< the command does what is configured: errors end it
};

/// What the arguments ask for: either a text to print (help, version), or a command to run.
struct ParsedCommand {
  GlobalOptions globals;  ///< as given on the command line
  std::string text;       ///< for standard output; then there is no command
  std::function<int(Invocation&)> command;

  ConfigUse config_use = ConfigUse::kLook;
  std::vector<config::Setting> flags;  ///< the options that were given
  /// Gives options that were not given the values that are set for them, those of `command` too,
  /// and returns the global ones. Everything wrong with the settings is appended to the problems.
  std::function<GlobalOptions(const config::Settings&, std::vector<spec::Problem>&)> configured;
};

/// Whether `--json` is among the arguments, and not one of a component's. For arguments that
/// parse_arguments() refuses.
bool asks_for_json(const std::vector<std::string>& arguments);

/// All commands and options, for who looks at them: nothing that it parses is run.
std::shared_ptr<CLI::App> command_tree();

/// Throws Error kUsage with a hint for arguments that are not understood.
ParsedCommand parse_arguments(const std::vector<std::string>& arguments);

}  // namespace slipway::cli
