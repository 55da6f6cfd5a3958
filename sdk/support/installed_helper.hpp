// Finds the files that were installed with the calling plug-in, wherever users moved the tree.
#pragma once

#include <string>

namespace slipway {

/// Returns the path of the program `name` in `libexec/slipway` of the installation that the calling
/// plug-in was loaded from, without symbolic links. Users do not call such programs. Throws Error
/// kUnavailable if the installation cannot be found, and the errors of check_installed_program().
std::string installed_helper(const std::string& name);

/// Returns the path of the script `name` in `share/slipway/python` of that installation. Throws
/// Error kUnavailable if the installation cannot be found, and the errors of
/// check_installed_script().
std::string installed_script(const std::string& name);

}  // namespace slipway
