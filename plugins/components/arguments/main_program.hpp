// `--script` and `-m`: the program that a component runs, and the names that follow from it.
#pragma once

#include <optional>
#include <string>

namespace slipway::builtins {

/// Either a script's path or a Python module.
struct MainProgram {
  std::optional<std::string> script;
  std::optional<std::string> module;
};

/// The script's file name without its last extension, or the module's last part: the role's name. Throws
/// Error(kInvalid) where neither is given or what is given is empty.
std::string role_name(const MainProgram& program);

}  // namespace slipway::builtins
