// The program that a component runs (`--script` or `-m`), and the role's name derived from it.
#pragma once

#include <optional>
#include <string>

namespace slipway::builtins {

/// Either a script's path or a Python module.
struct MainProgram {
  std::optional<std::string> script;
  std::optional<std::string> module;
};

/// Returns the role's name: the script's file name without its last extension, or the module's last
/// part. An empty text counts as missing, and the script wins over the module. Throws
/// Error(kInvalid) if both are missing.
std::string role_name(const MainProgram& program);

}  // namespace slipway::builtins
