// Names an archive by its content.
#pragma once

#include <cstddef>
#include <string>

#include "slipway/host.hpp"

namespace slipway::archive_image {

/// The length of a digest in hexadecimal digits.
inline constexpr std::size_t kDigestLength = 64;

/// Returns the SHA-256 of the whole file `fd` in 64 hexadecimal digits. Does not change the file
/// offset. Throws Error(kCancelled) if the host cancels the call, and system_error() if the file
/// cannot be read.
std::string content_digest(int fd, const Call& call);

/// Returns whether `text` has the form of a digest.
bool is_digest(const std::string& text);

}  // namespace slipway::archive_image
