// Unpacks an archive into a read-only tree, within limits.
#pragma once

#include <cstdint>

#include "plugins/archive_image/settings.hpp"
#include "slipway/host.hpp"

namespace slipway::archive_image {

/// Unpacks the archive `archive_fd` of `archive_bytes` bytes into the empty directory `root_fd`;
/// borrows both. Afterwards the directory and everything below it is read-only and belongs to the
/// caller: files 0444 or 0555 with the archive's times, directories 0555.
///
/// Throws Error(kInvalid) if the archive is damaged, exceeds a limit, or contains a device, pipe or
/// socket, or anything that leads outside the image: `..`, absolute paths, and, unless `limits`
/// allows them, symbolic links. Throws kCancelled if the host cancels the call, and system_error()
/// for failures of system calls. On failure the caller must remove the content of the directory.
void unpack(int archive_fd, std::uint64_t archive_bytes, int root_fd, const Limits& limits,
            const Call& call);

}  // namespace slipway::archive_image
