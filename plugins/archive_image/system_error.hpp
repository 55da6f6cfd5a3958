// Failures of system calls as errors that a person can read.
#pragma once

#include <cerrno>
#include <string>

#include "slipway/error.hpp"

namespace slipway::archive_image {

/// "cannot WHAT: REASON" for the errno value `reason`. kCantCreate, with a hint, where the disk or a quota is full or
/// read-only, kDenied for permissions, kNotFound for what is not there, else kUnavailable. [any thread]
Error system_error(const std::string& what, int reason = errno);

}  // namespace slipway::archive_image
