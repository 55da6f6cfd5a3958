// Failures of system calls as errors for people.
#pragma once

#include <string>
#include <string_view>

#include "slipway/error.hpp"

namespace slipway {

/// Returns whether `error` means a shortage that may pass: of processes, memory, descriptors, or
/// room on a disk or in a quota. The same call may succeed later.
bool is_shortage(int error);

/// Returns an Error `<action> <path>: <text of errno_value>`. kUnavailable becomes kTemporary if
/// is_shortage(errno_value).
Error system_error(Code code, std::string_view action, std::string_view path, int errno_value,
                   std::string hint = {});

}  // namespace slipway
