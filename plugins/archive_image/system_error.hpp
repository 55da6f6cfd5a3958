// Turns failures of system calls into errors for users.
#pragma once

#include <cerrno>
#include <string>

#include "slipway/error.hpp"

namespace slipway::archive_image {

/// Returns "cannot WHAT: REASON" for the errno value `reason`. The code is kCantCreate, with a
/// hint, if the disk or a quota is full or the file system is read-only, kDenied for permissions,
/// kNotFound for a missing file, kTemporary for any other shortage (is_shortage()), else
/// kUnavailable. [any thread]
Error system_error(const std::string& what, int reason = errno);

}  // namespace slipway::archive_image
