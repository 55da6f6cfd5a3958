// The disk space of a directory.
#pragma once

#include <cstdint>
#include <string>

namespace slipway::local {

/// Returns the bytes that the directory `name` and the files below it occupy. Follows no link in
/// it, skips other file systems and files below more than 64 directories, and counts files that
/// it cannot read as 0.
std::int64_t disk_use(int dir_fd, const std::string& name);

}  // namespace slipway::local
