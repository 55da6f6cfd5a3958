// What an archive is called: by its content.
#pragma once

#include <string>

#include "slipway/host.hpp"

namespace slipway::archive_image {

/// SHA-256 of the whole file `fd`, in 64 hexadecimal digits; the file offset is left alone. Throws Error kCancelled once
/// the host wants the call to stop, and kUnavailable when the file cannot be read.
std::string content_digest(int fd, const Call& call);

/// Whether `text` looks like one.
bool is_digest(const std::string& text);

}  // namespace slipway::archive_image
