// From arguments to the command that they ask for.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/cli/commands.hpp"

namespace slipway::cli {

/// What the arguments ask for: either a text to print (help, version), or a command to run.
struct ParsedCommand {
  GlobalOptions globals;
  std::string text;  ///< for standard output; then there is no command
  std::function<int(Invocation&)> command;
};

/// Whether `--json` is among the arguments, and not one of a component's. For arguments that parse_arguments() refuses.
bool asks_for_json(const std::vector<std::string>& arguments);

/// Throws Error kUsage with a hint for arguments that are not understood.
ParsedCommand parse_arguments(const std::vector<std::string>& arguments);

}  // namespace slipway::cli
