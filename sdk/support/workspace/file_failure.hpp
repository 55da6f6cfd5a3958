// Turns a file system error into an Error.
#pragma once

#include <string>
#include <system_error>

#include "slipway/error.hpp"

namespace slipway::workspaces {

/// Returns "cannot <action> <path>: <reason>", where the action is a verb such as "read". The code
/// is kNotFound for a missing file and for a path below one that is no directory, kDenied for
/// permissions, kExists for an existing name, else kCantCreate.
inline Error file_failure(const std::string& action, const std::string& path,
                          const std::error_code& error) {
  Code code = Code::kCantCreate;
  if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory)
    code = Code::kNotFound;
  if (error == std::errc::permission_denied || error == std::errc::operation_not_permitted)
    code = Code::kDenied;
  if (error == std::errc::file_exists) code = Code::kExists;
  return Error(code, "cannot " + action + " " + path + ": " + error.message());
}

}  // namespace slipway::workspaces
