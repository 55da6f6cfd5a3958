// From an archive to a read-only tree, within limits.
#pragma once

#include <cstdint>

#include "plugins/archive_image/settings.hpp"
#include "slipway/host.hpp"

namespace slipway::archive_image {

/// Unpacks the archive `archive_fd` of `archive_bytes` bytes into the empty directory `root_fd`; both are borrowed.
/// Afterwards everything below it, and the directory itself, is read-only: files 0444 or 0555, directories 0555, owned by
/// the caller, with the files' times of the archive.
///
/// Throws Error kInvalid for an archive that is damaged, goes beyond a limit, or holds what an image must not: a place
/// outside of it (`..`, absolute paths, links out), devices, pipes, sockets. kCancelled once the host wants the call to
/// stop; kCantCreate when the disk is full. What is in the directory then is for the caller to remove.
void unpack(int archive_fd, std::uint64_t archive_bytes, int root_fd, const Limits& limits,
            const Call& call);

}  // namespace slipway::archive_image
