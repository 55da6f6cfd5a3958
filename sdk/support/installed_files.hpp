// Checks files that were installed with a plug-in's library before the plug-in runs or imports
// them. Users who may change the library may change these files; other users must not be able to.
#pragma once

#include <filesystem>
#include <string>

namespace slipway {

/// Returns the prefix of the installation with the plug-in library `<prefix>/lib/slipway/<file>`.
std::filesystem::path prefix_of_library(const std::filesystem::path& library);

/// Checks a program that was installed with the plug-in library `library`. Throws Error
/// kUnavailable if the program is missing, and kDenied if the caller cannot run it. Also throws
/// kDenied if the program or its directory belongs to a user other than root, the caller and the
/// owner of the library, or if all users may write to it, or a group that may write neither to the
/// library nor to the library's directory.
///
/// Rationale: a plug-in does not know which accounts the site trusts, but the host has checked the
/// owners and writers of the library.
void check_installed_program(const std::string& program, const std::string& library);

/// Checks a script of Python, and everything in and below its directory, from which Python imports
/// modules, as check_installed_program() checks a program. The caller must be able to read all of
/// it.
void check_installed_script(const std::string& script, const std::string& library);

}  // namespace slipway
